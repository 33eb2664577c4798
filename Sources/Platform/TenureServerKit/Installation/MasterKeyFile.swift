import Glibc
package import TenureCommandLine
import TenureCore
import TenureCrypto
import TenureFormats

/// The file that holds the master key: 64 hexadecimal digits on one line.
package struct MasterKeyFile: Sendable {
    package let path: String

    package init(path: String) { self.path = path }

    /// Reads the key; throws if the file can't be read or doesn't contain a key.
    package func read() throws(CommandError) -> MasterKey {
        let held: [UInt8]
        do throws(CallersFile.Fault) {
            held = try CallersFile.bytes(of: path, limit: 256)
        } catch {
            throw CommandError(
                "The master key \(path) cannot be read: \(error). Pass the right file with --master-key-file FILE. "
                    + "The stored signing keys cannot be decrypted without it.")
        }
        let text = String(firstLineOf: held)?.before(anyByteOf: " \t")
        guard let bytes = text.flatMap({ Hex.decode(String($0)) }), let key = try? MasterKey(bytes: bytes) else {
            throw CommandError(
                "The file \(path) is not a master key. It must contain 64 hexadecimal digits on one line.")
        }
        return key
    }

    /// Creates a new key in a file that only its owner may read; an existing file isn't changed.
    package func create() throws(CommandError) {
        try CallersFiles.open { () throws(CommandError) in try write() }
    }

    private func write() throws(CommandError) {
        let temporary = "\(path).\(getpid())"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o400)
        guard descriptor >= 0 else {
            throw CommandError("The master key \(path) cannot be created: \(DataFolder.reason(errno)).")
        }
        defer {
            close(descriptor)
            unlink(temporary)
        }
        let text = Array((Hex.encode(SecureRandom.bytes(AES256GCM.keyLength)) + "\n").utf8)
        guard Glibc.write(descriptor, text, text.count) == text.count, fsync(descriptor) == 0 else {
            throw CommandError("The master key \(path) cannot be written: \(DataFolder.reason(errno)).")
        }
        // Unlike a rename, a link fails if the file exists. So of two concurrent processes, one creates the key and
        // both read it.
        guard link(temporary, path) == 0 || errno == EEXIST else {
            throw CommandError("The master key cannot be moved to \(path): \(DataFolder.reason(errno)).")
        }
    }

    /// Whether the file's mode gives other users any access.
    package var isExposed: Bool {
        CallersFiles.open {
            var facts = stat()
            return stat(path, &facts) == 0 && facts.st_mode & 0o077 != 0
        }
    }

    package var exists: Bool { CallersFile.exists(path) }
}
