import Glibc
import TenureFiles

/// An open file with a position, at which bytes are read and written.
final class DiskFile: Sendable {
    private let file: FileDescriptor

    /// Opens an existing file; `nil` if it can't be read.
    convenience init?(reading path: String) { self.init(try? FileDescriptor(opening: path, O_RDONLY)) }

    /// Opens a file for reading and writing, and creates a missing one; `nil` if that fails.
    convenience init?(updating path: String) {
        self.init(try? FileDescriptor(opening: path, O_RDWR | O_CREAT, mode: 0o666))
    }

    private init?(_ file: FileDescriptor?) {
        guard let file else { return nil }
        self.file = file
    }

    /// The number of bytes in the file; 0 if the system doesn't report it.
    var size: Int64 { (try? file.status()).map { Int64($0.st_size) } ?? 0 }

    func goToStart() { lseek(file.number, 0, SEEK_SET) }

    /// Reads the next bytes: none at the end of the file, and `nil` if reading fails.
    func read(upTo count: Int) -> [UInt8]? { try? file.read(upTo: count) }

    /// Writes bytes; returns the system's message if that fails.
    func write(_ bytes: [UInt8]) -> String? {
        do throws(Errno) {
            try file.write(bytes)
            return nil
        } catch {
            return error.description
        }
    }

    /// Truncates the file and continues at its new end; returns whether that succeeded.
    func cut(to count: Int64) -> Bool {
        ftruncate(file.number, off_t(count)) == 0 && lseek(file.number, off_t(count), SEEK_SET) == off_t(count)
    }
}
