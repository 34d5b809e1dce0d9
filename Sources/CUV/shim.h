// Brings libuv to Swift. Adds nothing but what C macros hide.
#include <uv.h>
