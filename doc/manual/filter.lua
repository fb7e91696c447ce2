-- Turns the documents, one after the other, into one book (doc/make-manual puts comments between them):
--   "part: NAME"          a heading of the first level; chapters become the second level
--   "chapter: FILE"       what follows is of this document: its identifiers begin with the document's name
--   "page: NAME FILE"     a manual page, by mandoc
--   "figure: ARGUMENTS"   what the program draws with these arguments; the lines below are the caption
-- Where a text names a document or a manual page of the book, that is a link to it.
local chapters = {}
local pages = {}

-- The identifier of a document or page in the book: doc/reproduce/README.md has that of its folder.
local function identifier(file)
    local name = file:gsub("^doc/", ""):gsub("%.md$", ""):gsub("/README$", "")
    return name:lower():gsub("[^%w]+", "-")
end

-- What mandoc makes of a page: its headings become lower ones, and its identifiers begin with the page's name.
local function manual_page(name, file)
    local html = pandoc.pipe("mandoc", { "-T", "html", "-O", "fragment,man=#page-%N-%S", file }, "")
    local prefix = "page-" .. name:gsub("%.", "-")
    html = html:gsub('<table class="head">.-</table>', ""):gsub('<table class="foot">.-</table>', "")
    html = html:gsub(' id="([^"]*)"', ' id="' .. prefix .. '-%1"'):gsub('href="#([^p][^"]*)"', 'href="#' .. prefix .. '-%1"')
    html = html:gsub('href="#(p[^"]*)"', function(target)
        return 'href="#' .. (target:match("^page%-") and target or prefix .. "-" .. target) .. '"'
    end)
    html = html:gsub("</table>%s*<br/>", "</table>")
    -- mandoc writes a hyphen of a heading as an underscore in links to it.
    html = html:gsub('href="#(' .. prefix:gsub("%-", "%%-") .. '%-[^"]*)"', function(target)
        local known = html:find('id="' .. target .. '"', 1, true)
        return 'href="#' .. (known and target or target:gsub("_", "-")) .. '"'
    end)
    html = html:gsub("<(/?)h2", "<%1h4"):gsub("<(/?)h1", "<%1h3")
    -- Pages that are not in the book are named, not linked.
    html = html:gsub('<a class="Xr" href="#(page%-[^"]*)">(.-)</a>', function(target, text)
        return pages[target] and '<a class="Xr" href="#' .. target .. '">' .. text .. "</a>" or text
    end)
    return html
end

local function base64(data)
    local letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    local parts = {}
    for i = 1, #data, 3 do
        local a, b, c = data:byte(i, i + 2)
        local n = a * 65536 + (b or 0) * 256 + (c or 0)
        local function letter(shift)
            local place = (n >> shift) & 63
            return letters:sub(place + 1, place + 1)
        end
        parts[#parts + 1] = letter(18) .. letter(12) .. (b and letter(6) or "=") .. (c and letter(0) or "=")
    end
    return table.concat(parts)
end

local function figure(arguments, caption)
    local words = {}
    for word in arguments:gmatch("%S+") do
        words[#words + 1] = word
    end
    local picture = pandoc.pipe(os.getenv("FLITREPLAY"), words, "")
    caption = caption:gsub("%s+", " ")
    return '<figure><img alt="' .. caption .. '" src="data:image/svg+xml;base64,' .. base64(picture) .. '"><figcaption>' ..
        caption .. "</figcaption></figure>"
end

-- The comment of a block, without its delimiters; nil for other blocks.
local function comment_of(block)
    return block.t == "RawBlock" and block.format == "html" and block.text:match("^<!%-%-%s*(.-)%s*%-%->%s*$")
end

-- The names of all documents and pages, before any text is read: links go forwards as well.
local function collect(blocks)
    for _, block in ipairs(blocks) do
        local comment = comment_of(block) or ""
        local chapter, page = comment:match("^chapter: (%S+)"), comment:match("^page: (%S+)")
        if chapter then chapters[chapter] = identifier(chapter) end
        if page then pages["page-" .. page:gsub("%.", "-")] = true end
    end
end

-- Browsers break lines behind any hyphen: options and other short names are kept whole.
local function link_code(code)
    local target = chapters[code.text]
    if not target and #code.text <= 24 and code.text:match("%-") and not code.text:match("[ /]") then
        code.classes:insert("n")
        return code
    end
    return target and pandoc.Link({ code }, "#" .. target)
end

local function link_word(word)
    local name, section, rest = word.text:match("^(%a[%w-]+)%((%d)%)(.*)$")
    local target = name and "page-" .. name .. "-" .. section
    if target and pages[target] then
        return { pandoc.Link({ pandoc.Str(name .. "(" .. section .. ")") }, "#" .. target), pandoc.Str(rest) }
    end
end

-- Links between documents stay in the book; those to files that it does not hold become text.
local function link_file(link)
    if link.target:match("^%a+:") or link.target:match("^#") then return nil end
    local file = link.target:gsub("#.*", "")
    local target = chapters[file] or chapters["doc/" .. file]
    if target then return pandoc.Link(link.content, "#" .. target) end
    return link.content
end

-- Columns are as wide as what they hold, not as the rule below the head of a table. A page is narrow for many of them.
local function free_columns(block)
    if #block.colspecs > 8 then block.attr.classes:insert("wide") end
    for i, column in ipairs(block.colspecs) do
        block.colspecs[i] = { column[1], nil }
    end
    return block
end

local inside = nil -- the identifier of the document that is being read
local function heading(block)
    block.level = block.level + 1
    block.identifier = block.level == 2 and inside or inside .. "-" .. block.identifier
    return block
end

function Pandoc(book)
    local blocks = pandoc.List()
    collect(book.blocks)
    for _, block in ipairs(book.blocks) do
        local comment = comment_of(block)
        if comment then
            local part, chapter = comment:match("^part: (.+)"), comment:match("^chapter: (%S+)")
            local page, file = comment:match("^page: (%S+) (.+)")
            local arguments, caption = comment:match("^figure: ([^\n]+)\n(.+)")
            if part then
                blocks:insert(pandoc.Header(1, part, { id = identifier("part-" .. part) }))
            elseif chapter then
                inside = identifier(chapter)
            elseif page then
                local title = page:gsub("%.(%d)$", "(%1)")
                blocks:insert(pandoc.Header(2, title, { id = "page-" .. page:gsub("%.", "-"), class = "page" }))
                blocks:insert(pandoc.RawBlock("html", manual_page(page, file)))
            elseif arguments then
                blocks:insert(pandoc.RawBlock("html", figure(arguments, caption)))
            end
        elseif block.t == "Header" then
            blocks:insert(heading(block))
        else
            local linked = pandoc.walk_block(block, { Link = link_file, Table = free_columns }) -- what is inside
            blocks:insert(linked.t == "Table" and free_columns(linked) or linked)
        end
    end
    for i, block in ipairs(blocks) do
        if block.t ~= "Header" then
            blocks[i] = pandoc.walk_block(block, { Code = link_code, Str = link_word })
        end
    end
    book.blocks = blocks
    return book
end
