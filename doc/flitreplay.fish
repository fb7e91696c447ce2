# fish completion of flitreplay(1). Subcommands, options and kinds are asked of the program itself, so that they are
# those of the version in use: `flitreplay list commands`, `list options` and `list KIND`.

# The rows of `list options` of the subcommand that is being typed: subcommand, option, argument, default, meaning.
function __flitreplay_rows
    set -l words (commandline -opc)
    $words[1] list options 2>/dev/null | string match -r -- "^$words[2]\t.*"
end

# The names in the first column of a list: its lines are indented by a little, those that go on with a summary by more.
# What follows a topology is its size.
function __flitreplay_kinds
    set -l words (commandline -opc)
    set -l names ($words[1] list $argv[1] 2>/dev/null | string match -r -g '^ {0,4}([a-z0-9][a-z0-9-]*)')
    if test "$argv[1]" = topologies
        string replace -r '$' ':' -- $names
    else
        string join \n -- $names
    end
end

# The list that an option's meaning names, as in "(flitreplay list routings)".
function __flitreplay_list_of
    __flitreplay_rows | string match -r -- "^[^\t]*\t$argv[1]\t.*" | string match -r -g '\(flitreplay list ([a-z-]+)\)'
end

function __flitreplay_is_first
    test (count (commandline -opc)) -eq 1
end

# An option that takes one of a list stands before the word.
function __flitreplay_is_value
    set -l words (commandline -opc)
    test (count $words) -gt 2; and string match -q -- '-*' $words[-1]; and test -n "$(__flitreplay_list_of $words[-1])"
end

function __flitreplay_values
    set -l words (commandline -opc)
    __flitreplay_kinds (__flitreplay_list_of $words[-1])
end

function __flitreplay_commands
    set -l words (commandline -opc)
    $words[1] list commands 2>/dev/null | string replace -r '^([^\t]*)\t[^\t]*\t' '$1\t'
    printf '%s\n' help --help --version
end

# Options with what they mean, values of "--option=", and what some subcommands are told instead of a file.
function __flitreplay_arguments
    set -l words (commandline -opc)
    set -l word (commandline -ct)
    if set -l option (string match -r -g -- '^(--[a-z-]+)=' $word)
        set -l list (__flitreplay_list_of $option)
        test -n "$list"; and string replace -r '^' -- "$option=" (__flitreplay_kinds $list)
        return
    end
    switch $words[2]
        case topology cost
            __flitreplay_kinds topologies
        case generate
            __flitreplay_kinds generators
        case help
            $words[1] list commands 2>/dev/null | string replace -r '\t.*' ''
        case list
            $words[1] list 2>/dev/null | string match -r -g '^([a-z-]*) \('
    end
    __flitreplay_rows | string replace -r '^[^\t]*\t([^\t]*)\t[^\t]*\t[^\t]*\t(.*)$' '$1\t$2'
end

complete -c flitreplay -n __flitreplay_is_first -f -a '(__flitreplay_commands)'
complete -c flitreplay -n 'not __flitreplay_is_first; and __flitreplay_is_value' -f -a '(__flitreplay_values)'
complete -c flitreplay -n 'not __flitreplay_is_first; and not __flitreplay_is_value' -a '(__flitreplay_arguments)'
