// Brings libutf8proc to Swift.
#include <utf8proc.h>
