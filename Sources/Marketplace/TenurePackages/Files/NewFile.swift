import Glibc
import TenureServerKit

/// A new file that is being written from beginning to end.
final class NewFile {
    private let descriptor: Int32
    private let name: String

    init(taking descriptor: Int32, named name: String) {
        self.descriptor = descriptor
        self.name = name
    }

    deinit { _ = close(descriptor) }

    /// Appends all the bytes, however many system calls that takes.
    func write(_ bytes: [UInt8]) throws(ServerError) {
        var written = 0
        while written < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { bytes in
                unsafe Glibc.write(descriptor, bytes.baseAddress.map { unsafe $0 + written }, bytes.count - written)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .files("\(name) can't be written") }
            written += count
        }
    }

    /// Sets the modification time, in seconds since 1970, and flushes the file.
    ///
    /// If the time is the same on every server, the file has the same entity tag everywhere.
    func finish(changedAt seconds: Int64) throws(ServerError) {
        let moment = timespec(tv_sec: Int(seconds), tv_nsec: 0)
        let times = [moment, moment]
        guard unsafe futimens(descriptor, times) == 0, fsync(descriptor) == 0 else {
            throw .files("\(name) can't be synced to disk")
        }
    }
}
