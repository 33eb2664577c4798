/// Where transports come from.
public enum HTTPTransports {
    /// Makes the transport of this system: libcurl on Linux, `URLSession` on Apple systems.
    ///
    /// Make one and share it: connections are kept open and used again.
    ///
    /// - Throws: `.noResources`, when the library or a thread cannot be had, or does not know an option.
    public static func system(_ options: TransportOptions = TransportOptions()) throws(TransportError)
        -> any HTTPTransport
    {
        #if canImport(Darwin)
            try URLSessionTransport(options)
        #else
            try CurlTransport(options)
        #endif
    }
}
