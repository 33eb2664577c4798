import TenureMarketplace
import TenureCore
import TenureCrypto
import TenureFormats

extension ConformanceCheck {
    static let renewal: [ConformanceCheck] = [
        answered("renewal", of: .renewal),
        isJSON("renewal.json", of: .renewal, "The answer", source: licenses),
        hasLicense("renewal", of: .renewal),
        verified("renewal", of: .renewal),
        done(
            "renewal.ineligible_list", .error, of: .renewalForeign, "Licenses that are not renewed are listed",
            expected: "`ineligibleLicenses`, a list of texts", fix: "List their ids, as texts of digits.",
            source: licenses
        ) { exchange, seen in
            if !seen.readsSimulation { return .skip(otherFormat) }
            guard case .object = exchange.json else { return .skip("it is no JSON object") }
            let list = exchange.json?["ineligibleLicenses"]?.list
            return list?.allSatisfy { $0.text != nil } == true ? .pass : .fail("It is missing, or has no texts.")
        },
        granted(
            "renewal.missing", of: .renewal, "A license is renewed, or it is not",
            expected: "a license of that id, or its id in `ineligibleLicenses`",
            fix: "Answer each license in one of the two."
        ) { license, exchange, seen in
            let item = seen.options.item?.number ?? 0
            let held = seen.granted(.license)?.licenses.first?.licenseID ?? 0
            return license.items.contains(item) || exchange.numbers("ineligibleLicenses").contains(held)
                ? nil : "It is in neither."
        },
        granted(
            "renewal.issued_time", of: .renewal, "A renewed license is issued anew", expected: "now, to a day",
            fix: "Issue it at the time of the renewal: its duration runs from there."
        ) { license, _, seen in seen.faultOfIssue(license) },
        granted(
            "renewal.foreign", of: .renewalForeign, "A license that nobody knows is not renewed",
            expected: "its id in `ineligibleLicenses`, and no license", fix: "Renew known licenses alone."
        ) { license, exchange, seen in
            if !license.licenses.isEmpty { return "It is renewed." }
            return exchange.numbers("ineligibleLicenses").contains(seen.draw.requestID)
                ? nil : "It is not in ineligibleLicenses."
        },
        granted(
            "renewal.other_device", of: .renewalOtherDevice, "Nobody renews another device's license",
            expected: "its id in `ineligibleLicenses`, and no license", fix: "Compare the device with the license's."
        ) { license, _, _ in license.licenses.isEmpty ? nil : "It is renewed." },
        ConformanceCheck(
            "renewal.creates", .error, of: .renewalCreates, "A renewal makes no new license",
            expected: "a refusal of a request with the action create", fix: "Look at the action of the request.",
            source: licenses
        ) { exchange, seen in
            guard let status = exchange.status else { return .skip(exchange.whyNothing) }
            if status >= 500 { return .fail("It is answered \(status).") }
            guard exchange.isDone else { return .pass }
            return seen.granted(.renewalCreates)?.licenses.isEmpty == false ? .fail("It gets a license.") : .pass
        },
    ]

    static func answered(_ family: String, of question: Question) -> ConformanceCheck {
        ConformanceCheck(
            "\(family).status", .error, of: question, "A whole request is answered", expected: "200",
            fix: "Look into the server's log for what it refused.", source: licenses
        ) { exchange, seen in
            guard let status = exchange.status else { return .skip(exchange.whyNothing) }
            if status == 200 { return .pass }
            if seen.wantsToken(exchange) { return .skip(SeenMarketplace.tokenWanted) }
            if !seen.readsSimulation { return .skip(otherFormat) }
            return .fail("It is answered \(status).")
        }
    }

    static func hasLicense(_ family: String, of question: Question) -> ConformanceCheck {
        done(
            "\(family).empty", .error, of: question, "The answer holds a license", expected: "`license` in base64",
            fix: "Send the signed session, also where nothing was granted: never an empty text.", source: licenses
        ) { exchange, _ in
            guard case .object = exchange.json else { return .skip("it is no JSON object") }
            let text = exchange.json?["license"]?.text ?? ""
            if text.isEmpty { return .fail("It is missing, or empty.") }
            return Base64.decode(text) == nil ? .fail("It is no base64 with padding.") : .pass
        }
    }

    static func verified(_ family: String, of question: Question) -> ConformanceCheck {
        done(
            "\(family).signature", .error, of: question, "The license is signed with the served certificate's key",
            expected: "a signature of the key at signingCertificateURL",
            fix: "Serve the certificate whose key signs.", source: licenses
        ) { exchange, seen in
            guard let certificate = seen.certificate(.signingCertificate) else {
                return .skip("the signing certificate cannot be read")
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

    /// A check of a granted license, after its signature has been verified.
    static func granted(
        _ id: String, of question: Question, _ title: String, expected: String, fix: String,
        fault: @escaping @Sendable (SimulatedAppLicense, RecordedExchange, SeenMarketplace) -> String?
    ) -> ConformanceCheck {
        ConformanceCheck(id, .error, of: question, title, expected: expected, fix: fix, source: licenses) {
            exchange, seen in
            guard exchange.isDone else { return .skip(exchange.whyNothing) }
            guard let license = seen.granted(question) else {
                return .skip(seen.unverified(question) == nil ? otherFormat : "the license is not verified")
            }
            return fault(license, exchange, seen).map { .fail($0) } ?? .pass
        }
    }
}
