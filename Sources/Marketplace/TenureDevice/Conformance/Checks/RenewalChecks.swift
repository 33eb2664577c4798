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
            "renewal.ineligible_list", .error, of: .renewalForeign, "Licenses that aren't renewed are listed",
            expected: "`ineligibleLicenses`, a list of strings", fix: "List their ids as strings of digits.",
            source: licenses
        ) { exchange, seen in
            if !seen.readsSimulation { return .skip(otherFormat) }
            guard case .object = exchange.json else { return .skip("it isn't a JSON object") }
            let list = exchange.json?["ineligibleLicenses"]?.list
            return list?.allSatisfy { $0.text != nil } == true
                ? .pass : .fail("It is missing, or isn't a list of strings.")
        },
        granted(
            "renewal.missing", of: .renewal, "Each license is either renewed or listed as ineligible",
            expected: "a license with that id, or its id in `ineligibleLicenses`",
            fix: "List each license in one of the two."
        ) { license, exchange, seen in
            let item = seen.options.item?.number ?? 0
            let held = seen.granted(.license)?.licenses.first?.licenseID ?? 0
            return license.items.contains(item) || exchange.numbers("ineligibleLicenses").contains(held)
                ? nil : "It is in neither."
        },
        granted(
            "renewal.issued_time", of: .renewal, "A renewed license has a new issue time",
            expected: "now, within a day",
            fix: "Use the time of the renewal; the duration starts there."
        ) { license, _, seen in seen.faultOfIssue(license) },
        granted(
            "renewal.foreign", of: .renewalForeign, "An unknown license is not renewed",
            expected: "its id in `ineligibleLicenses`, and no license", fix: "Renew only known licenses."
        ) { license, exchange, seen in
            if !license.licenses.isEmpty { return "It was renewed." }
            return exchange.numbers("ineligibleLicenses").contains(seen.draw.requestID)
                ? nil : "It isn't in ineligibleLicenses."
        },
        granted(
            "renewal.other_device", of: .renewalOtherDevice, "A device can't renew another device's license",
            expected: "its id in `ineligibleLicenses`, and no license",
            fix: "Compare the device with the device of the license."
        ) { license, _, _ in license.licenses.isEmpty ? nil : "It was renewed." },
        ConformanceCheck(
            "renewal.creates", .error, of: .renewalCreates, "A renewal creates no new license",
            expected: "a refusal of a request whose action is create", fix: "Check the action of the request.",
            source: licenses
        ) { exchange, seen in
            guard let status = exchange.status else { return .skip(exchange.whyNothing) }
            if status >= 500 { return .fail("The status is \(status).") }
            guard exchange.isDone else { return .pass }
            return seen.granted(.renewalCreates)?.licenses.isEmpty == false ? .fail("It returned a license.") : .pass
        },
    ]

    static func answered(_ family: String, of question: Question) -> ConformanceCheck {
        ConformanceCheck(
            "\(family).status", .error, of: question, "A valid request succeeds", expected: "200",
            fix: "Check the server's log for the reason of the refusal.", source: licenses
        ) { exchange, seen in
            guard let status = exchange.status else { return .skip(exchange.whyNothing) }
            if status == 200 { return .pass }
            if seen.wantsToken(exchange) { return .skip(SeenMarketplace.tokenWanted) }
            if !seen.readsSimulation { return .skip(otherFormat) }
            return .fail("The status is \(status).")
        }
    }

    static func hasLicense(_ family: String, of question: Question) -> ConformanceCheck {
        done(
            "\(family).empty", .error, of: question, "The response has a license", expected: "`license` in base64",
            fix: "Send the signed session even if nothing was granted, never an empty string.", source: licenses
        ) { exchange, _ in
            guard case .object = exchange.json else { return .skip("it isn't a JSON object") }
            let text = exchange.json?["license"]?.text ?? ""
            if text.isEmpty { return .fail("It is missing or empty.") }
            return Base64.decode(text) == nil ? .fail("It isn't base64 with padding.") : .pass
        }
    }

    static func verified(_ family: String, of question: Question) -> ConformanceCheck {
        done(
            "\(family).signature", .error, of: question, "The license is signed with the key of the served certificate",
            expected: "a signature by the key of the certificate at signingCertificateURL",
            fix: "Serve the certificate of the key that signs.", source: licenses
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

    /// A check of a granted license, after its signature has been verified.
    static func granted(
        _ id: String, of question: Question, _ title: String, expected: String, fix: String,
        fault: @escaping @Sendable (SimulatedAppLicense, RecordedExchange, SeenMarketplace) -> String?
    ) -> ConformanceCheck {
        ConformanceCheck(id, .error, of: question, title, expected: expected, fix: fix, source: licenses) {
            exchange, seen in
            guard exchange.isDone else { return .skip(exchange.whyNothing) }
            guard let license = seen.granted(question) else {
                return .skip(seen.unverified(question) == nil ? otherFormat : "the license isn't verified")
            }
            return fault(license, exchange, seen).map { .fail($0) } ?? .pass
        }
    }
}
