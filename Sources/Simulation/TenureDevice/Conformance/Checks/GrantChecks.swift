import TenureCore
import TenureCrypto
import TenureFormats
import TenureMarketplace

/// Checks that apply both to license requests and to renewals.
enum GrantChecks {
    static let source = "Apple, licensing apps"
    static let otherFormat = "this server uses a different format than the simulation inside requests and licenses"

    /// Returns the checks of a response that grants licenses.
    static func common(_ family: String, of question: Question) -> [Check] {
        [
            answered(family, of: question), Check.isJSON("\(family).json", of: question, "The answer", source: source),
            hasLicense(family, of: question), verified(family, of: question),
        ]
    }

    /// Returns a check that a response lists the ids that weren't granted.
    static func listed(_ id: String, _ member: String, of question: Question, _ title: String) -> Check {
        Check.done(
            id, .error, of: question, title, expected: "`\(member)`, a list of strings",
            fix: "List their ids as strings of digits.", source: source
        ) { exchange, seen in
            if !seen.readsSimulation { return .skip(otherFormat) }
            guard case .object = exchange.json else { return .skip("it isn't a JSON object") }
            let list = exchange.json?[member]?.list
            return list?.allSatisfy { $0.text != nil } == true
                ? .pass : .fail("It is missing, or isn't a list of strings.")
        }
    }

    private static func answered(_ family: String, of question: Question) -> Check {
        Check(
            "\(family).status", .error, of: question, "A valid request succeeds", expected: "200",
            fix: "Check the server's log for the reason of the refusal.", source: source
        ) { exchange, seen in
            guard let status = exchange.status else { return .skip(exchange.whyNothing) }
            if status == 200 { return .pass }
            if seen.wantsToken(exchange) { return .skip(SeenMarketplace.tokenWanted) }
            if !seen.readsSimulation { return .skip(otherFormat) }
            return .fail("The status is \(status).")
        }
    }

    private static func hasLicense(_ family: String, of question: Question) -> Check {
        Check.done(
            "\(family).empty", .error, of: question, "The response has a license", expected: "`license` in base64",
            fix: "Send the signed session even if nothing was granted, never an empty string.", source: source
        ) { exchange, _ in
            guard case .object = exchange.json else { return .skip("it isn't a JSON object") }
            let text = exchange.json?["license"]?.text ?? ""
            if text.isEmpty { return .fail("It is missing or empty.") }
            return Base64.decode(text) == nil ? .fail("It isn't base64 with padding.") : .pass
        }
    }

    private static func verified(_ family: String, of question: Question) -> Check {
        Check.done(
            "\(family).signature", .error, of: question, "The license is signed with the key of the served certificate",
            expected: "a signature by the key of the certificate at signingCertificateURL",
            fix: "Serve the certificate of the key that signs.", source: source
        ) { exchange, seen in
            guard let certificate = seen.certificate(.signingCertificate) else {
                return .skip("the signing certificate can't be read")
            }
            guard let unverified = seen.unverified(question) else { return .skip(otherFormat) }
            do throws(FormatError) {
                _ = try unverified.verify(trusting: certificate)
                return .pass
            } catch {
                return .fail("\(error.message).")
            }
        }
    }

    /// Returns a check of a granted license; it is skipped if the license can't be verified.
    static func granted(
        _ id: String, of question: Question, _ title: String, expected: String, fix: String,
        fault: @escaping @Sendable (SimulatedAppLicense, RecordedExchange, SeenMarketplace) -> String?
    ) -> Check {
        Check(id, .error, of: question, title, expected: expected, fix: fix, source: source) {
            exchange, seen in
            guard exchange.isDone else { return .skip(exchange.whyNothing) }
            guard let license = seen.granted(question) else {
                return .skip(seen.unverified(question) == nil ? otherFormat : "the license isn't verified")
            }
            return fault(license, exchange, seen).map { .fail($0) } ?? .pass
        }
    }
}
