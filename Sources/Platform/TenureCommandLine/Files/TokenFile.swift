import FoundationEssentials
import TenureFormats

/// Reads files that `tenure account token --out` has written.
package enum TokenFile {
    /// Reads the token in a file; throws if the file can't be read or contains anything else.
    package static func read(_ path: String) throws(CommandError) -> String {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
            throw CommandError(
                "The token file \(path) cannot be read. Run `tenure account token ACCOUNT --out FILE` to write one.")
        }
        let token = text.trimmed
        guard !token.isEmpty, token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw CommandError(
                "The file \(path) must contain a token and nothing else. Run `tenure account token ACCOUNT --out FILE` to write one."
            )
        }
        return token
    }
}

/// Paths that commands store for later runs.
package enum RememberedPath {
    /// Makes a relative path absolute, because a later run may have another working directory.
    package static func absolute(_ path: String) -> String { URL(filePath: path).standardizedFileURL.path }
}
