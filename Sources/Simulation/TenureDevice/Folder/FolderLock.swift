import Glibc

/// An exclusive lock on a device's folder, so that of two commands at once neither overwrites what the other saved.
///
/// It's released when the value is destroyed or the process ends.
final class FolderLock: Sendable {
    private let descriptor: Int32

    /// Waits for the lock.
    ///
    /// - Throws: `.badFolder` if the lock's file can't be created.
    init(_ folder: String) throws(DeviceError) {
        let path = folder + "/lock"
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw DeviceError(
                .badFolder,
                errno == ENOENT
                    ? "There is no device in \(folder). Create one with `tenure device new \(folder) --server URL`."
                    : "The file \(path) can't be opened: \(unsafe String(cString: strerror(errno))).")
        }
        // A file system without locks reports another error. Commands then run as if they had the lock.
        while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
    }

    deinit { close(descriptor) }
}
