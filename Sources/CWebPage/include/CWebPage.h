// The files of the web page, as they lie in Web/, inside the program.
#ifndef C_WEB_PAGE_H
#define C_WEB_PAGE_H

#include <stddef.h>

struct web_page_file {
  // As a browser asks for it: "/style.css".
  const char *path;
  const unsigned char *bytes;
  size_t count;
};

// The first of so many.
extern const struct web_page_file *const web_page_files;
extern const size_t web_page_files_count;

#endif
