import TenureHTTPClient

extension ConformanceCheck {
    private static let kit = "Apple, /.well-known/marketplace-kit"

    static let config: [ConformanceCheck] =
        there("config.", of: .configuration, "The configuration", source: kit) + [
            saysJSON("config.content_type", of: .configuration, "The configuration", source: kit)
        ]
        + LintRule.all.filter { $0.id.hasPrefix("config.") }.map { rule in
            linted(rule, of: .configuration) { exchange, _ in
                exchange.isDone ? exchange.response.map { LintedFile.findings(in: $0.body, as: .configuration) } : nil
            }
        }

    static let transport: [ConformanceCheck] = [
        ConformanceCheck(
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
        ConformanceCheck(
            "transport.https", .error, of: .configuration, "The server uses https", expected: "https at the domain",
            fix: "Put a proxy with a certificate in front of it; devices don't use plain http.", source: kit
        ) { _, seen in
            if seen.options.isHere { return .skip("the server is on this machine") }
            return seen.options.address.origin.hasPrefix("https://") ? .pass : .fail("It was requested over http.")
        },
        ConformanceCheck(
            "transport.coding", .error, of: .configuration, "Responses are not compressed unless requested",
            expected: "no Content-Encoding, because none was accepted",
            fix: "Turn compression off for clients that don't accept it.",
            source: "RFC 9110, 12.5.3"
        ) { _, seen in
            let coded = Question.allCases.compactMap { seen[$0] }.first {
                !$0.question.isPackage && $0.isCoded
            }
            return coded.map { .fail("\($0.sent) was sent with a Content-Encoding.") } ?? .pass
        },
        ConformanceCheck(
            "transport.head", .warning, of: .configurationHead, "HEAD matches GET",
            expected: "the status and length of GET", fix: "Respond to HEAD like GET, without the body.",
            source: "RFC 9110, 9.3.2"
        ) { exchange, seen in
            guard let status = exchange.status, let get = seen[.configuration], get.isDone else {
                return .skip(exchange.whyNothing)
            }
            if status != 200 { return .fail("HEAD returned \(status).") }
            let length = exchange.response?.fields["Content-Length"].flatMap(Int.init)
            guard let length, !get.isCut, length != get.response?.body.count else { return .pass }
            return .fail("HEAD reports \(length) bytes, but GET has \(get.response?.body.count ?? 0).")
        },
        ConformanceCheck(
            "transport.unknown_path", .warning, of: .nowhere, "Unknown paths return an error",
            expected: "404 for a path that does not exist", fix: "Return 404, not a page with status 200.",
            source: "RFC 9110, 15.5.5"
        ) { exchange, _ in
            guard let status = exchange.status else { return .skip(exchange.whyNothing) }
            return (400...499).contains(status) ? .pass : .fail("The status is \(status).")
        },
    ]
}

extension RecordedExchange {
    var isCoded: Bool {
        guard let coding = response?.fields["Content-Encoding"]?.lowercased() else { return false }
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
