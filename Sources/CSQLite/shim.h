// Brings SQLite to Swift.
#pragma once
#include <sqlite3.h>
