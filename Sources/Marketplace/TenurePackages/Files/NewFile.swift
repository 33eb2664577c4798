import Glibc
import TenureFiles
import TenureServerKit

/// A new file that is being written from beginning to end.
struct NewFile {
    private let file: FileDescriptor
    private let name: String

    init(_ file: FileDescriptor, named name: String) {
        self.file = file
        self.name = name
    }

    /// Appends all the bytes.
    func write(_ bytes: [UInt8]) throws(ServerError) {
        do throws(Errno) {
            try file.write(bytes)
        } catch {
            throw .files("\(name) can't be written", error)
        }
    }

    /// Sets the modification time, in seconds since 1970, and flushes the file.
    ///
    /// If the time is the same on every server, the file has the same entity tag everywhere.
    func finish(changedAt seconds: Int64) throws(ServerError) {
        let time = timespec(tv_sec: Int(seconds), tv_nsec: 0)
        let times = [time, time]
        do throws(Errno) {
            guard unsafe futimens(file.number, times) == 0 else { throw .current }
            try file.synchronize()
        } catch {
            throw .files("\(name) can't be synced to disk", error)
        }
    }
}
