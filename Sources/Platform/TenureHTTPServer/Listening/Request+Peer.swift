import Glibc
import TenureHTTP

extension Request.Peer {
    /// Converts a socket address; any address that isn't an IP address counts as a local process.
    init(_ address: UnsafePointer<sockaddr>?) {
        guard let address = unsafe address else {
            self = .local
            return
        }
        switch Int32(unsafe address.pointee.sa_family) {
        case AF_INET:
            let number = unsafe address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                unsafe UInt32(bigEndian: $0.pointee.sin_addr.s_addr)
            }
            self = .host(IPAddress(version4: number))
        case AF_INET6:
            self = unsafe address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { address in
                unsafe withUnsafeBytes(of: address.pointee.sin6_addr) { bytes in
                    .host(
                        IPAddress(
                            high: UInt64(bigEndian: unsafe bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self)),
                            low: UInt64(bigEndian: unsafe bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))))
                }
            }
        default: self = .local
        }
    }
}
