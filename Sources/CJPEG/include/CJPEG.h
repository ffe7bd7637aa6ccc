#pragma once

#include "CJPEGCanvas.h"
#include "CJPEGCodec.h"
#include "CJPEGReducer.h"
