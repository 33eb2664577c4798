import Foundation
import Glibc

/// Prepares and measures a load of renewals.
///
/// `bench-renewals envelope SECONDS` measures the unavoidable RSA operations of a renewal.
///
/// `bench-renewals signature SECONDS` measures the unavoidable signature of an install token.
///
/// `bench-renewals bodies DATABASE COUNT IDS FILE` writes COUNT requests for IDS licenses each, one per line.
@main
struct Renewals {
    static func main() async throws {
        let arguments = CommandLine.arguments
        if arguments.count == 3, arguments[1] == "envelope", let seconds = Double(arguments[2]) {
            try Envelope.measure(seconds: seconds)
        } else if arguments.count == 3, arguments[1] == "signature", let seconds = Double(arguments[2]) {
            try Envelope.measureSignature(seconds: seconds)
        } else if arguments.count == 6, arguments[1] == "bodies", let count = Int(arguments[3]),
            let ids = Int(arguments[4])
        {
            try await Bodies(database: arguments[2], count: count, ids: ids).write(to: arguments[5])
        } else {
            FileHandle.standardError.write(
                Data(
                    "usage: bench-renewals envelope SECONDS | signature SECONDS | bodies DATABASE COUNT IDS FILE\n".utf8
                ))
            exit(2)
        }
    }
}
