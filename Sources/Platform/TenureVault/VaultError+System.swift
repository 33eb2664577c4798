package import TenureFiles

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

extension VaultError {
    /// An error for a failed system call.
    package static func system(_ code: Code, _ path: String, _ cause: Errno) -> VaultError {
        VaultError(
            code, "\(path) can't be \(code == .unreadable ? "read" : "written") (\(cause)). \(cure(cause.rawValue))")
    }

    static func foreignOwner(_ code: Code, _ path: String, _ owner: uid_t) -> VaultError {
        VaultError(
            code,
            "\(path) belongs to user \(owner), and this program runs as user \(geteuid()). "
                + "Run it as the owner, or remove it.")
    }

    package static func noFile(_ code: Code, _ path: String) -> VaultError {
        VaultError(code, "\(path) is a link, a folder or a device instead of a file. Remove it and try again.")
    }

    static func noFolder(_ code: Code, _ path: String) -> VaultError {
        VaultError(code, "\(path) is a file or a link instead of a folder. Remove it, or use another folder.")
    }

    private static func cure(_ cause: Int32) -> String {
        switch cause {
        case ENOSPC, EDQUOT: "Free some space on that disk and try again."
        case EFBIG: "Raise the file size limit and try again."
        case EROFS: "The disk is read-only. Use a writable folder."
        case EACCES, EPERM: "Give this user permission, or use another folder."
        case EMFILE, ENFILE: "Too many files are open. Close some and try again."
        default: "Check the disk and try again."
        }
    }
}
