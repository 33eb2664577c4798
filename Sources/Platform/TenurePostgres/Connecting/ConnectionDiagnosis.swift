import TenureStore

/// The fault of a host that can't be connected to, and its remedy.
struct ConnectionDiagnosis {
    let fault: ConnectionFault
    /// A clause about the host, which follows its name.
    let phrase: String
    let cure: String
    /// libpq's message, or a description of the file that libpq couldn't use.
    let cause: String

    /// Derives the fault from libpq's message and from a check of the files that the address names.
    init(_ words: String, at address: Address) {
        fault = ConnectionFault(words)
        let files = CredentialFiles(of: address)
        if fault == .certificate, let file = files.unreadableCertificate {
            // libpq's own text ends with random bytes if it can't open a file (seen with libpq 15).
            phrase = "can't be connected to, because \(file.phrase)"
            (cure, cause) = (file.cure, "certificate or key file: \(file.phrase)")
        } else if words.contains(Self.noPassword) {
            let file = files.passfileProblem
            phrase = "requires a password" + (file.map { ", but \($0.phrase)" } ?? "")
            cure = file?.cure ?? "Put it in a passfile that the URL names, or put the URL in a --store-file."
            cause = words
        } else {
            phrase = fault.phrase + (fault == .unreachable ? Self.reason(in: words) : "")
            (cure, cause) = (fault.cure, words)
        }
    }

    private static let reasons = [
        "Connection refused", "timeout expired", "No route to host", "Network is unreachable", "Host is down",
        "Connection reset", "No such file or directory",
    ]
    private static let noPassword = "no password supplied"

    /// The cause in parentheses, if libpq's message contains one of the known short causes; otherwise empty.
    private static func reason(in words: String) -> String {
        reasons.first { words.contains($0) }.map { " (\($0))" } ?? ""
    }
}

extension StoreError {
    /// An error for a connection that couldn't be opened.
    static func unconnected(_ address: Address, cause words: String) -> StoreError {
        let diagnosis = ConnectionDiagnosis(words, at: address)
        return StoreError(
            diagnosis.fault.isReadOnly ? .readOnly : .unavailable,
            "\(address.position) \(diagnosis.phrase). \(diagnosis.cure)", cause: diagnosis.cause)
    }
}
