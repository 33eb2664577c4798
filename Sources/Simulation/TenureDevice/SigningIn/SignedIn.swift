import TenureCore
import TenureFormats
import TenureHTTP
import TenureHTTPClient
import TenureMarketplaceClient

/// An account that signed in on a device, with its tokens and the device's OAuth client id.
struct SignedIn: Sendable {
    /// The folder that stores the tokens.
    let folder: TokenFolder
    let account: AccountID
    /// The device's OAuth client id, which the refresh token is bound to.
    let clientID: String

    init(folder: TokenFolder, account: AccountID, clientID: String) {
        (self.folder, self.account, self.clientID) = (folder, account, clientID)
    }

    /// The stored access token; `nil` if none can be read.
    var access: String? { (try? folder.tokens(of: account))?.access }
}

extension ServedMarketplace {
    /// Sends a request, with the account's token if the token may be sent to the URL.
    ///
    /// If the server rejects the token, the token is refreshed once and the request is sent again.
    func send(_ request: OutgoingRequest, as requester: RequestingDevice) async throws(DeviceError) -> Response {
        let headers = try await credentials(for: request.url, of: requester)
        let answer = try await send(request.adding(headers))
        guard let signedIn = requester.signedIn, let refused = requester.access, headers["Authorization"] != nil else {
            return answer
        }
        var ledger = FailureLedger()
        let failure = FailedRequest(
            account: signedIn.account, status: answer.status, code: ServerProblem(answer).code,
            contentType: answer.headers["Content-Type"])
        guard !answer.isSuccess,
            ledger.step(after: failure, canRefresh: true, canShowUI: true, at: Timestamp(seconds: 0)) == .refreshToken
        else { return answer }
        guard case .use(let access)? = try? await refresh(signedIn, refused: refused), access != refused else {
            return answer
        }
        return try await send(request.adding(.bearer(access)))
    }

    private func refresh(_ signedIn: SignedIn, refused: String) async throws -> TokenRefresh {
        let places = try await signInPlaces()
        return try await signedIn.folder.refresh(signedIn.account, refused: refused) { token in
            let answer = try? await self.send(
                .form(
                    places.token,
                    [("grant_type", "refresh_token"), ("refresh_token", token), ("client_id", signedIn.clientID)]))
            guard let answer else { return .unanswered }
            if let tokens = try? AccountTokens(answer) { return .successor(tokens) }
            let problem = try? FlatObject(scanning: answer.body.bytes)
            return problem?.string("error").value == "invalid_grant" ? .refused : .unanswered
        }
    }
}

extension OutgoingRequest {
    fileprivate func adding(_ headers: Headers) -> OutgoingRequest {
        var request = self
        for field in headers.fields { request.headers.add(field.name, field.value) }
        return request
    }
}

extension AccountTokens {
    /// Reads the response of a token endpoint; throws `.refused` or `.badAnswer`.
    init(_ answer: Response) throws(DeviceError) {
        let members = try? FlatObject(scanning: answer.body.bytes)
        guard answer.status == 200 else {
            let error = members?.string("error").value.map { ": \($0.prefix(64))" } ?? ""
            throw DeviceError(
                .refused, "The token endpoint failed with status \(answer.status)\(error).", as: .oauthTokenError,
                problem: ServerProblem(answer))
        }
        guard let access = members?.string("access_token").value, !access.isEmpty else {
            throw DeviceError(.badAnswer, "The token endpoint's response has no token.", as: .oauthTokenError)
        }
        self.init(access: access, refresh: members?.string("refresh_token").value)
    }
}
