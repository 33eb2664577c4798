import Glibc
package import TenureCommandLine
import TenureFiles

/// A small file in the data folder that only its owner can read, and that is always replaced atomically.
package struct FolderFile: Sendable {
    private let folder: String
    private let name: String
    private let longest: Int

    /// Creates a reference to the file.
    ///
    /// - Parameter longest: The maximum size in bytes. A larger file isn't read.
    package init(_ name: String, in folder: String, longest: Int) {
        self.folder = folder
        self.name = name
        self.longest = longest
    }

    private var path: String { "\(folder)/\(name)" }

    /// Reads the file; `nil` if it doesn't exist, can't be read or is too large.
    package func read() -> [UInt8]? {
        let file = try? FileDescriptor(opening: path, O_RDONLY | O_NOFOLLOW)
        guard let bytes = try? file?.read(upTo: longest + 1), bytes.count <= longest else { return nil }
        return bytes
    }

    /// Replaces the file atomically and synchronizes it; `nil` removes the file.
    ///
    /// If the server is killed meanwhile, either the old or the new file remains.
    package func replace(by bytes: [UInt8]?) throws(CommandError) {
        guard let bytes else {
            unlink(path)
            return
        }
        mkdir(folder, 0o700)
        let temporary = "\(name).\(getpid())"
        do throws(FileReplacement.Failure) {
            try FileReplacement.replace(name, in: folder, by: bytes, temporary: temporary)
        } catch {
            switch error {
            case .notCreated(let cause): throw CommandError("\(folder)/\(temporary) cannot be created: \(cause).")
            case .notWritten(let cause): throw CommandError("\(path) cannot be written: \(cause).")
            // The file has its new bytes, but a crash may restore the old ones.
            case .notDurable: return
            }
        }
    }
}
