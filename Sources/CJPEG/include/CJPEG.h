#pragma once

#include "CJPEGCodec.h"
#include "CJPEGPasses.h"
#include "CJPEGReader.h"
