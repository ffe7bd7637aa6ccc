#pragma once
// What is deprecated since a later version than the oldest one that we build with, that of Debian 12, is no warning.
#define GLIB_VERSION_MIN_REQUIRED GLIB_VERSION_2_74
#include <atspi/atspi.h>
