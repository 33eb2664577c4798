import FoundationEssentials
import TenureCore
import TenureFormats
import TenureHTTP
import TenureMarketplaceClient

/// The marketplace's response to a `restore` or `updates` request.
struct AppAnswer: Sendable {
    /// The entries that may be installed.
    let entries: UpdateAnswer
    /// The apps in `failures` with the code 404, each with the server's error.
    let gone: [AppleItemID: ServerProblem]
}

/// An app and the version that the device has or had.
struct AskedApp: Sendable {
    let item: AppleItemID
    let version: AppleVersionID
}

extension ServedMarketplace {
    /// Sends one request about apps to an endpoint (Apple's documentation).
    ///
    /// - Throws: `.signInNeeded` for 401 and for 403 with a JSON body, `.paymentNeeded`, `.refused`, `.badAnswer` or
    ///   `.unreachable`.
    func query(
        _ what: String, about apps: [AskedApp], at url: String, device: Device, requester: RequestingDevice
    ) async throws(DeviceError) -> AppAnswer {
        let body = JSONWriter.object { body in
            body.array("apps") { list in
                for app in apps {
                    list.object { object in
                        object.member("appleItemId", app.item.description)
                        object.member("appleVersionId", app.version.description)
                    }
                }
            }
            body.member("platform", device.platform)
            body.member("osVersion", device.systemVersion)
        }
        let answer = try await send(.post(url, json: body), as: requester)
        guard answer.status == 200 else { throw DeviceError(answer, to: what, for: requester) }
        guard let entries = try? JSONDecoder().decode(UpdateAnswer.self, from: Data(answer.body.bytes)),
            let members = try? FlatObject(scanning: answer.body.bytes)
        else { throw DeviceError(.badAnswer, "\(what) got an unreadable response.") }
        var gone: [AppleItemID: ServerProblem] = [:]
        for failure in members.objects("failures").value ?? [] {
            guard let item = (failure.identifier("appleItemId").value).flatMap({ AppleItemID(number: $0) }),
                let details = failure.object("failure").value, details.wholeNumber("code").value == 404
            else { continue }
            let reason = failure.string("reason").value ?? details.string("reason").value
            gone[item] = ServerProblem(
                status: 404, code: reason.map { String($0.prefix(64)) },
                sentence: details.string("description").value.map { String($0.prefix(300)) })
        }
        return AppAnswer(entries: entries, gone: gone)
    }
}

extension DeviceError {
    /// Creates an error from a failed request, classified as a marketplace app's extension does.
    ///
    /// Each request uses a new ledger, because the device doesn't wait for a retry. It sends the request again at the
    /// next tap or on the next day.
    init(_ answer: Response, to what: String, for requester: RequestingDevice) {
        let problem = ServerProblem(answer)
        var ledger = FailureLedger()
        let failed = FailedRequest(
            account: requester.signedIn?.account ?? Device.placeholderAccount, status: answer.status,
            code: problem.code,
            contentType: answer.headers["Content-Type"], retryAfter: answer.headers["Retry-After"])
        let general = DeviceError(answer, to: what)
        switch ledger.step(after: failed, canRefresh: false, canShowUI: true, at: Timestamp(seconds: 0)) {
        case .signIn:
            // The general message is about a token that the device was given. A device that signed in itself needs
            // another remedy.
            let isSignedIn = requester.token == nil && requester.signedIn != nil
            let words = [
                "\(what) failed with status \(answer.status).", problem.sentence,
                "Run `tenure device sign-in`.",
            ]
            self.init(
                .signInNeeded, isSignedIn ? words.compactMap(\.self).joined(separator: " ") : general.message,
                problem: problem)
        case .pay: self.init(.paymentNeeded, general.message, problem: problem)
        default: self = general
        }
    }
}
