#pragma once
// Swift takes `struct stat` for that of the first module whose headers bring it, and this is to stay Glibc's: what libarchive has
// of it are pointers.
struct stat;
#define _SYS_STAT_H 1
#include <archive.h>
#include <archive_entry.h>
#undef _SYS_STAT_H
