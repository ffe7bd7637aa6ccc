#pragma once

/// Downloads `url` `count` times with `width` transfers at once into memory, on the calling thread, the way libcurl's
/// examples do: one multi handle, `curl_multi_poll`, handles used again. Returns the bytes received, or -1.
long raw_curl_download(const char *url, int count, int width);
