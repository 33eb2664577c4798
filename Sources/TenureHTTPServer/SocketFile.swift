import Glibc

/// The file of a Unix socket, remembered so that only our own is ever removed.
struct SocketFile: Sendable {
    let path: String
    private let device: dev_t
    private let inode: ino_t

    /// Remembers the file at a path; nil when there is none.
    init?(path: String) {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return nil }
        self.path = path
        device = status.st_dev
        inode = status.st_ino
    }

    /// Removes the file unless someone has put another in its place.
    func remove() {
        if let present = SocketFile(path: path), present.device == device, present.inode == inode {
            _ = unsafe unlink(path)
        }
    }
}
