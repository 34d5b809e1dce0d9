// The files of the web page as bytes of the program.

#include "CWebPage.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

#include "files.h"

const struct web_page_file *const web_page_files = files;
const size_t web_page_files_count = sizeof files / sizeof files[0];
