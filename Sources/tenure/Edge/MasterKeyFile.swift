import Glibc
import TenureCrypto
import TenureFormats
import TenureServerKit

/// The file that holds the master key: 64 hexadecimal digits on one line (design §8).
struct MasterKeyFile {
    let path: String

    /// Reads the key.
    func read() throws(CommandError) -> MasterKey {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw CommandError(
                "The master key \(path) cannot be read: \(DataFolder.reason(errno)). Name the right file with --master-key-file FILE; "
                    + "without it the stored signing keys cannot be opened.")
        }
        defer { close(descriptor) }
        var buffer = [UInt8](repeating: 0, count: 256)
        let count = Glibc.read(descriptor, &buffer, buffer.count)
        let text = String(decoding: buffer.prefix(max(0, count)), as: UTF8.self).prefix { !$0.isWhitespace }
        guard let bytes = Hex.decode(String(text)), let key = try? MasterKey(bytes: bytes) else {
            throw CommandError("The file \(path) is no master key: it must hold 64 hexadecimal digits on one line.")
        }
        return key
    }

    /// Makes a new key and writes it, readable by nobody else; a file that is there already stays as it is.
    func create() throws(CommandError) {
        let temporary = "\(path).\(getpid())"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw CommandError("The master key \(path) cannot be made: \(DataFolder.reason(errno)).")
        }
        defer {
            close(descriptor)
            unlink(temporary)
        }
        let text = Array((Hex.encode(SecureRandom.bytes(AES256GCM.keyLength)) + "\n").utf8)
        guard write(descriptor, text, text.count) == text.count, fsync(descriptor) == 0 else {
            throw CommandError("The master key \(path) cannot be written: \(DataFolder.reason(errno)).")
        }
        // A link fails where a rename would replace: of two first starts at once, one makes the key and both read it.
        guard link(temporary, path) == 0 || errno == EEXIST else {
            throw CommandError("The master key \(path) cannot be put in its place: \(DataFolder.reason(errno)).")
        }
    }

    /// Whether others than the owner may read the file.
    var isExposed: Bool {
        var facts = stat()
        return stat(path, &facts) == 0 && facts.st_mode & 0o077 != 0
    }

    var exists: Bool { access(path, F_OK) == 0 }
}
