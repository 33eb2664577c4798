import Glibc
import TenureFiles

/// An exclusive lock on a device's folder, so that simultaneous commands don't overwrite each other's changes.
///
/// It's released when the value is destroyed or the process ends.
final class FolderLock: Sendable {
    private let file: FileDescriptor

    /// Waits for the lock.
    ///
    /// - Throws: `.badFolder` if the lock's file can't be created.
    init(_ folder: String) throws(DeviceError) {
        let path = folder + "/lock"
        do throws(Errno) {
            file = try FileDescriptor(opening: path, O_RDWR | O_CREAT, mode: 0o600)
        } catch {
            throw DeviceError(
                .badFolder,
                error.rawValue == ENOENT
                    ? "There is no device in \(folder). Create one with `tenure device new \(folder) --server URL`."
                    : "The file \(path) can't be opened: \(error).")
        }
        // A file system without locks reports an error. Commands then run as if they had the lock.
        try? file.lock()
    }
}
