#pragma once

#include "CDecodeHelper.h"

/// Has the kernel refuse every call but those that decoding in this room needs; 0, or what is no 0 where it cannot.
int chelper_refuse_calls(enum chelper_room room);

/// Has the kernel refuse all files, or all but fonts in the room for drawings; 0, or what is no 0 where it cannot.
int chelper_refuse_files(enum chelper_room room);
