// Brings libsodium to Swift.
#pragma once
#include <sodium.h>
