import CCurl

extension EasyHandle {
    /// Notes what libcurl has measured of the current hop.
    func measure(_ metrics: inout TransferMetrics, hasAnswered: Bool) {
        metrics.bytesReceived = bytesReceived
        metrics.httpVersion =
            switch CUnsignedInt(truncatingIfNeeded: long(CURLINFO_HTTP_VERSION)) {
            case UInt32(CURL_HTTP_VERSION_1_0): .http10
            case UInt32(CURL_HTTP_VERSION_1_1): .http11
            case UInt32(CURL_HTTP_VERSION_2_0): .http2
            case UInt32(CURL_HTTP_VERSION_3): .http3
            default: nil
            }
        metrics.isConnectionReused = hasAnswered && long(CURLINFO_NUM_CONNECTS) == 0
        guard !metrics.isConnectionReused else { return }
        // libcurl counts each of them from the start of the hop.
        let name = microseconds(CURLINFO_NAMELOOKUP_TIME_T)
        let connect = microseconds(CURLINFO_CONNECT_TIME_T)
        let handshake = microseconds(CURLINFO_APPCONNECT_TIME_T)
        metrics.nameLookup = .microseconds(name)
        metrics.connect = .microseconds(max(0, connect - name))
        metrics.handshake = .microseconds(max(0, handshake - connect))
    }

    /// Bytes of the body as they came over the wire.
    var bytesReceived: Int {
        var value: curl_off_t = 0
        ccurl_get_offset(pointer, CURLINFO_SIZE_DOWNLOAD_T, &value)
        return Int(value)
    }

    /// One of libcurl's times in microseconds.
    private func microseconds(_ info: CURLINFO) -> Int {
        var value: curl_off_t = 0
        ccurl_get_offset(pointer, info, &value)
        return Int(value)
    }
}
