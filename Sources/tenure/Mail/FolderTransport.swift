import Glibc
import TenureCommandLine
import TenureFiles
import TenureHTTPClient
import TenureServerKit

/// Writes letters into a folder instead of sending them.
///
/// A letter's file is named after its `Message-ID`, so a letter that is written again replaces its file.
struct FolderTransport: MailTransport {
    private let folder: String

    /// Creates the folder if it doesn't exist; the parent folder must exist.
    init(_ folder: String) throws(CommandError) {
        guard mkdir(folder, 0o700) == 0 || errno == EEXIST else {
            throw CommandError("The folder \(folder) cannot be created: \(Errno.current).")
        }
        guard access(folder, W_OK | X_OK) == 0 else {
            throw CommandError("Letters cannot be written into \(folder): \(Errno.current).")
        }
        self.folder = folder
    }

    func send(_ message: MailMessage) async -> Mail.Outcome {
        let name = "\(message.id.prefix { $0 != "@" }).eml"
        do throws(FileReplacement.Failure) {
            try FileReplacement.replace(name, in: folder, by: message.bytes, temporary: ".\(name)")
            return .accepted("written to \(name)")
        } catch {
            return .deferred("the letter can't be written into the folder: \(error)")
        }
    }

    func ascii(_ domain: String) -> String? { SMTPClient.ascii(domain) }
}
