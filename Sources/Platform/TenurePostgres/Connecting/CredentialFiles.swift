#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The files that libpq reads for a connection, as the URL or the environment names them.
///
/// libpq skips a passfile that it can't use, and reports that only on standard error. So the files are checked here.
struct CredentialFiles {
    /// The fault of a file, and its remedy.
    struct Problem {
        /// A clause about the file, such as `shop can't read /etc/tenure/authority.crt: Permission denied`.
        let phrase: String
        let cure: String
    }

    /// A passfile that doesn't exist, which libpq silently ignores.
    static let noPassfile = "/dev/null/passfile"

    private let passfile: String?
    private let certificates: [String]

    init(of address: Address) {
        let options = (try? Address.options(of: address.url)) ?? [:]
        passfile = address.setting("passfile", "PGPASSFILE", in: options) ?? Self.standardPassfile
        certificates = [
            ("sslrootcert", "PGSSLROOTCERT"), ("sslcert", "PGSSLCERT"), ("sslkey", "PGSSLKEY"), ("sslcrl", "PGSSLCRL"),
        ].compactMap { option, variable in address.setting(option, variable, in: options) }
            // `system` selects the system's authorities, and a value with a colon but no slash is a key of an engine;
            // neither is a file.
            .filter { $0 != "system" && ($0.utf8.contains(UInt8(ascii: "/")) || !$0.utf8.contains(UInt8(ascii: ":"))) }
    }

    /// The passfile in the user's home folder, if there is one.
    private static var standardPassfile: String? {
        guard let home = unsafe getenv("HOME"), unsafe home.pointee != 0 else { return nil }
        let file = unsafe String(cString: home) + "/.pgpass"
        return unsafe access(file, F_OK) == 0 ? file : nil
    }

    /// The first file of certificates or keys that this user can't read; `nil` if there is none.
    var unreadableCertificate: Problem? { certificates.lazy.compactMap(Self.unreadable).first }

    /// Why libpq found no password in the passfile; `nil` if none is named.
    var passfileProblem: Problem? {
        guard let passfile else { return nil }
        return unusablePassfile
            ?? Problem(
                phrase: "\(passfile) has no line for this host, database and user",
                cure: "Add a line HOST:PORT:DATABASE:USER:PASSWORD, in which * stands for any value.")
    }

    /// Why libpq ignores the passfile; `nil` if it reads it, or if none is named.
    var unusablePassfile: Problem? {
        guard let passfile else { return nil }
        if let problem = Self.unreadable(passfile) { return problem }
        var facts = stat()
        guard unsafe stat(passfile, &facts) == 0 else { return nil }
        guard facts.st_mode & S_IFMT == S_IFREG else {
            return Problem(phrase: "\(passfile) is not a plain file", cure: "Name a plain file in the URL.")
        }
        if facts.st_mode & 0o077 == 0 { return nil }
        let mode = String(facts.st_mode & 0o777, radix: 8)
        return Problem(
            phrase: "\(passfile) isn't used, because other users may open it (mode \(mode))",
            cure: "Run chmod 600 \(passfile).")
    }

    private static func unreadable(_ file: String) -> Problem? {
        let descriptor = unsafe open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        var byte: UInt8 = 0
        // A folder can be opened, but not read.
        let count = unsafe descriptor < 0 ? -1 : read(descriptor, &byte, 1)
        let code = errno
        if descriptor >= 0 { close(descriptor) }
        if count >= 0 { return nil }
        let reason = unsafe String(cString: strerror(code))
        return Problem(
            phrase: "\(user) can't read \(file): \(reason)",
            cure: "Give that user the file, and the right to enter its folder.")
    }

    private static var user: String {
        guard let entry = unsafe getpwuid(geteuid()) else { return "user \(geteuid())" }
        return unsafe String(cString: entry.pointee.pw_name)
    }
}
