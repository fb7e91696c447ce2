/* Which layouts a version of the recorder wrote. Later versions number as the package that ships the recorder
 * does, so anything newer than 0.6.9 is read alike. */
#include "traces/dumpitrace/layout.h"

/* Whether version is major.minor.micro or later. */
static bool since(const uint8_t version[3], int major, int minor, int micro)
{
    if (version[0] != major)
        return version[0] > major;
    if (version[1] != minor)
        return version[1] > minor;
    return version[2] >= micro;
}

/* Each member is a difference in the bytes of some record or section; what all versions share has none. */
struct dumpi_version dumpi_version_of(const uint8_t version[3])
{
    return (struct dumpi_version){
        .has_mesh_sizes = since(version, 0, 5, 0),
        .argc_is_doubled = !since(version, 0, 6, 2),
        .status_has_tag = since(version, 0, 6, 3),
        .cart_get_has_list = since(version, 0, 6, 8),
        .struct_has_list = since(version, 0, 6, 9),
    };
}
