import TenureCore
import TenureFormats
import TenureHTTP
import TenureHTTPClient
import TenureMarketplace

/// The decision to send a request, or to skip it for a reason.
enum QuestionPlan: Sendable {
    case send(OutgoingRequest)
    case skip(String)
}

extension SeenMarketplace {
    /// Plans a request from the responses so far.
    func plan(_ question: ConformanceQuestion) -> QuestionPlan {
        if options.mode == .read, question.mode == .full, !(question.isOffer && options.asksUpdates) {
            return .skip("it is requested only in full mode")
        }
        let plan = wording(question)
        guard case .send(let request) = plan else { return plan }
        if options.mode == .read, !["GET", "HEAD"].contains(request.method), !question.isOffer {
            return .skip("it is requested only in full mode")
        }
        // Another operator's configuration may name any address, and must not make this tool send requests into the
        // local network.
        let host = ConformanceOptions.host(of: request.url)
        guard let host else { return .skip("\(request.url.bounded) isn't an http or https URL") }
        if options.address.isOwn(request.url) || isServedHere(question) { return plan }
        let isAddress = host.contains(":") || host.allSatisfy { $0.isNumber || $0 == "." }
        if !options.isHere, ConformanceOptions.isHere(request.url) || (isAddress && !host.isPublicAddress) {
            return .skip("\(host) isn't a public internet address")
        }
        // Tokens, passwords and codes may go to the marketplace's own server; they may go to other hosts only over
        // HTTPS.
        if request.headers["Authorization"] != nil || request.method == "POST", WebURL(request.url)?.scheme != "https" {
            return .skip("secrets aren't sent to another host without https")
        }
        return plan
    }

    private func wording(_ question: ConformanceQuestion) -> QuestionPlan {
        let home = "https://\(options.address.domain)"
        switch question {
        case .configuration: return .get(home + "/.well-known/marketplace-kit")
        case .configurationHead: return .head(home + "/.well-known/marketplace-kit")
        case .nowhere: return .get("\(home)/.well-known/conformance-\(draw.nothing)")
        case .metadata: return .get(home + "/.well-known/oauth-authorization-server")
        case .packageHost:
            guard let host = packageHost else { return .skip("the package is on the marketplace's own host") }
            return .get("https://\(host)/.well-known/marketplace-kit")
        case .encryptionCertificate: return certificate { $0.encryptionCertificateURL }
        case .signingCertificate: return certificate { $0.signingCertificateURL }
        case .manifest, .signature, .assetHead, .assetWhole, .assetLast, .otherAssetFirst, .otherAssetLast,
            .assetStart, .assetMiddle, .assetBeyond, .assetUnchanged, .extraFile:
            return package(question)
        case .authorizeWithoutChallenge, .authorizePlain, .redeemNothing, .signInPage, .signInForm, .redeem, .refresh,
            .refreshAgain, .refreshReused, .secondPage, .secondForm, .redeemWrongVerifier, .thirdPage, .thirdForm,
            .redeemOnce, .redeemTwice:
            return signIn(question)
        default:
            if question.rawValue.hasPrefix("restore") || question.rawValue.hasPrefix("updates") {
                return offer(question)
            }
            return license(question)
        }
    }

    /// Whether a request for another host is sent to the tested server instead, because that server runs on this
    /// machine.
    func isServedHere(_ question: ConformanceQuestion) -> Bool {
        question == .packageHost && options.isHere && options.address.isRenamed
    }

    private func certificate(_ url: (ServedConfiguration.Places) -> String) -> QuestionPlan {
        guard let places else { return .skip("the configuration can't be read") }
        return .get(url(places))
    }

    private func package(_ question: ConformanceQuestion) -> QuestionPlan {
        guard let base = packageBase else {
            return .skip("no package is known; use --package, or --item in full mode")
        }
        let headers = bearer
        if question == .manifest { return .get(base + "/manifest.json", headers) }
        if question == .signature { return .get(base + "/signature", headers) }
        if question == .extraFile { return .get("\(base)/\(draw.nothing).txt", headers) }
        guard let asset else { return .skip("the package's manifest can't be read") }
        if question == .otherAssetFirst || question == .otherAssetLast { return otherAsset(question, in: base) }
        let url = "\(base)/\(asset.path)"
        func range(_ text: String) -> QuestionPlan {
            var headers = headers
            headers.add("Range", "bytes=" + text)
            return .get(url, headers)
        }
        switch question {
        case .assetHead: return .send(OutgoingRequest(method: "HEAD", url: url, headers: headers))
        case .assetWhole: return .get(url, headers)
        case .assetLast:
            guard self[.assetWhole]?.isCut == true else { return .skip("the asset was downloaded completely") }
            guard let chunk = asset.lastChunk else { return .skip("the manifest has no digests for the asset") }
            guard chunk.count <= Question.longestComparison else { return .skip(Self.chunkTooLong) }
            return range("\(chunk.lowerBound)-\(chunk.upperBound)")
        case .assetStart: return range("0-\(Self.piece(of: asset.size).upperBound)")
        case .assetMiddle:
            let piece = Self.middle(of: asset.size)
            return range("\(piece.lowerBound)-\(piece.upperBound)")
        case .assetBeyond: return range("\(asset.size)-")
        default:
            guard let tag = self[.assetHead]?.response?.headers["ETag"] else { return .skip("the asset has no ETag") }
            var headers = headers
            headers.add("If-None-Match", tag)
            headers.add("Range", "bytes=0-0")
            return .get(url, headers)
        }
    }

    /// Plans the request for the first or last chunk of ``otherAsset``.
    private func otherAsset(_ question: ConformanceQuestion, in base: String) -> QuestionPlan {
        guard let asset = otherAsset else { return .skip("the package has only variants or only deltas") }
        guard let first = asset.firstChunk, let last = asset.lastChunk else {
            return .skip("the manifest has no digests for the asset")
        }
        if question == .otherAssetLast, first == last { return .skip("the asset has one chunk") }
        let chunk = question == .otherAssetFirst ? first : last
        guard chunk.count <= Question.longestComparison else { return .skip(Self.chunkTooLong) }
        var headers = bearer
        headers.add("Range", "bytes=\(chunk.lowerBound)-\(chunk.upperBound)")
        return .get("\(base)/\(asset.path)", headers)
    }

    /// Returns the range of an asset's first KiB, or of all its bytes if it's shorter.
    static func piece(of size: Int64) -> ClosedRange<Int64> { 0...max(0, min(size, 1 << 10) - 1) }

    /// Returns a range of up to 100 bytes inside the asset, within the part that is downloaded for comparison.
    static func middle(of size: Int64) -> ClosedRange<Int64> {
        let start = min(size / 2, 1 << 20)
        return start...max(start, min(size, start + 100) - 1)
    }

    static let chunkTooLong = "the manifest's chunks are longer than \(Question.longestComparison >> 20) MiB"

    /// The account's token as an `Authorization` header field, if there is a token.
    var bearer: Headers { options.token.map { ["Authorization": "Bearer \($0)"] } ?? [:] }
}

extension QuestionPlan {
    static func get(_ url: String, _ headers: Headers = [:]) -> QuestionPlan { .send(.get(url, headers: headers)) }
    static func head(_ url: String) -> QuestionPlan { .send(OutgoingRequest(method: "HEAD", url: url)) }
}

extension String {
    /// The text, truncated to 200 characters, since it may come from another server.
    var bounded: String { count > 200 ? prefix(200) + "..." : self }

    fileprivate var isPublicAddress: Bool {
        #if canImport(Darwin)
            false
        #else
            HTTPTransports.isPublicAddress(self)
        #endif
    }
}
