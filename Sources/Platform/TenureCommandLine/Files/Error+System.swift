import FoundationEssentials
import Glibc

extension Error {
    /// The system's message for an error that Foundation threw, such as "No such file or directory".
    package var systemMessage: String {
        guard let cause = (self as? CocoaError)?.underlying as? POSIXError else { return "\(self)" }
        return unsafe String(cString: strerror(cause.code.rawValue))
    }
}
