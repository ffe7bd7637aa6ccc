#pragma once

#include "CJPEGCanvas.h"
#include "CJPEGCodec.h"
#include "CJPEGPasses.h"
#include "CJPEGReducer.h"
