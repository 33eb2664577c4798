package import Glibc
import TenureFiles

/// A newly created file that only its owner can read, because it may hold secrets.
package struct NewFile {
    package let path: String
    private let file: FileDescriptor

    /// Creates the file; throws if it already exists.
    package init(creating path: String) throws(CommandError) {
        self.path = path
        do throws(Errno) {
            file = try CallersFiles.open { () throws(Errno) in
                try FileDescriptor(opening: path, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
            }
        } catch {
            throw CommandError(
                error.rawValue == EEXIST
                    ? "\(path) already exists. Choose a new file." : "\(path) cannot be created: \(error).")
        }
        // Without this, the same command started twice would continue a file that is being written.
        _ = file.tryLock()
    }

    /// Opens a file that an earlier command created, at its end; throws if it doesn't exist or another process writes
    /// to it.
    package init(continuing path: String) throws(CommandError) {
        self.path = path
        do throws(Errno) {
            file = try CallersFiles.open { () throws(Errno) in try FileDescriptor(opening: path, O_RDWR | O_NOFOLLOW) }
        } catch {
            throw CommandError("\(path) cannot be opened: \(error).")
        }
        guard file.tryLock() == .acquired else {
            throw CommandError("Another command is writing to \(path). Wait until it has ended.")
        }
        lseek(file.number, 0, SEEK_END)
    }

    /// Appends text; `loss` is the hint for the user if writing fails.
    package func write(_ text: String, loss: String) throws(CommandError) {
        do throws(Errno) {
            try file.write(Array(text.utf8))
        } catch {
            throw CommandError("Writing \(path) failed: \(error). \(loss)")
        }
    }

    /// Waits until the written text is on disk.
    package func sync() throws(CommandError) {
        do throws(Errno) {
            try file.synchronize()
        } catch {
            throw CommandError("Writing \(path) failed: \(error).")
        }
    }

    /// The size of the file in bytes.
    package var size: off_t { lseek(file.number, 0, SEEK_CUR) }

    /// Truncates the file to a size.
    ///
    /// If that fails, the extra rows stay, and `tenure license issue --check` reports them.
    package func cut(to size: off_t) {
        if ftruncate(file.number, size) == 0 { lseek(file.number, size, SEEK_SET) }
    }

    /// Removes the file, so that the next attempt can use its name.
    package func remove() { CallersFile.remove(path) }
}
