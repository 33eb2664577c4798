import TenureHTTP
import TenureHTTPClient

/// Checks of the configuration, and of properties that all responses share.
enum ConfigurationChecks {
    private static let kit = "Apple, /.well-known/marketplace-kit"

    static let configuration: [Check] =
        Check.there("config.", of: .configuration, "The configuration", source: kit) + [
            Check.saysJSON("config.content_type", of: .configuration, "The configuration", source: kit)
        ] + Check.linted("config", of: .configuration, as: .configuration)

    static let transport: [Check] = [
        Check(
            "transport.answers", .error, of: .configuration, "Every request gets a response",
            expected: "any response within 20 seconds",
            fix: "Check the server's log for what happened instead.", source: "RFC 9110"
        ) { _, seen in
            // An address that can't be requested is reported by the check of the document that contains it.
            let silent = Question.allCases.compactMap { seen[$0] }.filter {
                $0.response == nil && $0.failure?.code != .badURL
            }
            guard let first = silent.first else { return .pass }
            return .fail("\(silent.count) got no response. \(first.sent): \(first.failure?.message ?? "")")
        },
        Check(
            "transport.https", .error, of: .configuration, "The server uses https", expected: "https at the domain",
            fix: "Put a proxy with a certificate in front of it; devices don't use plain http.", source: kit
        ) { _, seen in
            if seen.options.isHere { return .skip("the server is on this machine") }
            return seen.options.address.origin.hasPrefix("https://") ? .pass : .fail("It was requested over http.")
        },
        Check.uncoded(
            "transport.coding", of: .configuration, "Responses are not compressed unless requested",
            expected: "no Content-Encoding, because none was accepted",
            fix: "Turn compression off for clients that don't accept it.",
            source: "RFC 9110, 12.5.3"
        ) { !$0.isPackage },
        Check(
            "transport.head", .warning, of: .configurationHead, "HEAD matches GET",
            expected: "the status and length of GET", fix: "Respond to HEAD like GET, without the body.",
            source: "RFC 9110, 9.3.2"
        ) { exchange, seen in
            guard let status = exchange.status, let get = seen[.configuration], get.isDone else {
                return .skip(exchange.whyNothing)
            }
            if status != 200 { return .fail("HEAD returned \(status).") }
            let length = exchange.response?.headers["Content-Length"].flatMap(Int.init)
            guard let length, !get.isCut, length != get.response?.body.bytes.count else { return .pass }
            return .fail("HEAD reports \(length) bytes, but GET has \(get.response?.body.bytes.count ?? 0).")
        },
        Check.answered(
            "transport.unknown_path", .warning, of: .nowhere, "Unknown paths return an error", with: 400...499,
            expected: "404 for a path that does not exist", fix: "Return 404, not a page with status 200.",
            source: "RFC 9110, 15.5.5"),
    ]
}

extension RecordedExchange {
    var isCoded: Bool {
        guard let coding = response?.headers["Content-Encoding"]?.lowercased() else { return false }
        return !coding.isEmpty && coding != "identity"
    }
}

extension ConformanceQuestion {
    var isPackage: Bool {
        switch self {
        case .manifest, .signature, .assetHead, .assetWhole, .assetLast, .assetStart, .assetMiddle, .assetBeyond,
            .assetUnchanged, .extraFile:
            true
        default: false
        }
    }
}
