import TenureCore
import TenureCrypto
import TenureFormats
import TenureHTTP
import TenureHTTPClient
import TenureMarketplace

extension SeenMarketplace {
    /// Plans a license or renewal request, in a valid or a broken envelope.
    func license(_ question: ConformanceQuestion) -> QuestionPlan {
        guard let places else { return .skip("the configuration can't be read") }
        if question == .licenseNotJSON {
            return .send(.post(places.dynamicLicenseURL, json: Self.notJSON, headers: bearer))
        }
        guard let certificate = certificate(.encryptionCertificate) else {
            return .skip("the encryption certificate can't be read")
        }
        if question.rawValue.hasPrefix("renewal") {
            return renewal(question, at: places.licenseRenewalURL, to: certificate)
        }
        guard let item = options.item?.number else { return .skip("no --item was given") }
        guard let version = version?.number else { return .skip("no version of the app is known") }
        guard let variant = manifest?.variants.first else { return .skip("the package's manifest can't be read") }
        let isFirst = question == .license || question == .licenseAgain
        var request = SimulatedAppLicenseRequest(
            action: .create, requestID: draw.requestID + (isFirst ? 0 : UInt64(question.hashPlace)),
            requestTime: UInt64(max(0, now.seconds)), deviceID: options.device, appleItemIDs: [item])
        var apps = [(item, version, variant.id.text)]
        if question == .licenseNeighbours {
            request.appleItemIDs.append(Self.unknownItem)
            apps.append((Self.unknownItem, 1, variant.id.text))
        }
        guard let envelope = BrokenEnvelope(question).seal(request.json(), to: certificate.publicKey) else {
            return .skip("the encryption certificate has no RSA key of 3072 bits")
        }
        let headers = question == .licenseWithoutToken ? [:] : bearer
        if question == .licenseWithoutToken, options.token == nil { return .skip("no --token-file was given") }
        let body = JSONWriter.object { body in
            body.member("licenseRequest", envelope.request)
            body.member("licenseKey", envelope.requestKey)
            body.object("appsById") { list in
                for (item, version, asset) in apps {
                    list.object(String(item)) { app in
                        app.member("appleVersionId", String(version))
                        app.member("assetPublicId", asset)
                    }
                }
            }
        }
        return .send(.post(places.dynamicLicenseURL, json: body, headers: headers))
    }

    private func renewal(
        _ question: ConformanceQuestion, at url: String, to certificate: X509Certificate
    ) -> QuestionPlan {
        let licenseID = granted(.license)?.licenses.first?.licenseID
        var request = SimulatedAppLicenseRequest(
            action: .renew, requestID: draw.requestID + UInt64(question.hashPlace),
            requestTime: UInt64(max(0, now.seconds)), deviceID: options.device)
        switch question {
        case .renewalForeign: request.licenseIDs = [draw.requestID]
        case .renewalCreates:
            guard let item = options.item?.number else { return .skip("no --item was given") }
            request.action = .create
            request.appleItemIDs = [item]
        default:
            guard let licenseID else { return .skip("no license was granted that can be renewed") }
            request.licenseIDs = [licenseID]
            if question == .renewalOtherDevice { request.deviceID = draw.otherDevice }
        }
        guard let envelope = BrokenEnvelope.none.seal(request.json(), to: certificate.publicKey) else {
            return .skip("the encryption certificate has no RSA key of 3072 bits")
        }
        let body = JSONWriter.object { body in
            body.member("renewalRequest", envelope.request)
            body.member("licenseKey", envelope.requestKey)
        }
        return .send(.post(url, json: body, headers: bearer))
    }
}

extension ConformanceQuestion {
    /// The request's position in the run, counted from 1. It's added to the run's request id for a request that needs
    /// an id of its own.
    var hashPlace: Int { (Self.allCases.firstIndex(of: self) ?? 0) + 1 }
}

/// A defect in an encrypted request; `none` for a valid request.
enum BrokenEnvelope: Sendable {
    case none, shortKey, longKey, keyAlphabet, keyNoise, secretShort, secretLong, padding, cutBlocks, empty, noise

    init(_ question: ConformanceQuestion) {
        self =
            switch question {
            case .licenseShortKey: .shortKey
            case .licenseLongKey: .longKey
            case .licenseKeyAlphabet: .keyAlphabet
            case .licenseKeyNoise: .keyNoise
            case .licenseSecretShort: .secretShort
            case .licenseSecretLong: .secretLong
            case .licensePadding: .padding
            case .licenseCutBlocks: .cutBlocks
            case .licenseEmpty: .empty
            case .licenseNoise: .noise
            default: .none
            }
    }

    /// Encrypts a request with this defect; `nil` if the key isn't RSA-3072 or the encryption fails.
    func seal(_ plaintext: [UInt8], to key: RSA.PublicKey) -> RequestEnvelope? {
        guard key.modulusBits == RequestEnvelope.requestKeyLength * 8 else { return nil }
        let secret = SecureRandom.bytes(32)
        guard
            let cipher = try? AES128CBC(
                key: Array(secret.prefix(16)), initializationVector: Array(secret.suffix(16))),
            var sealed = try? cipher.encrypt(plaintext)
        else { return nil }
        let bytes: [UInt8] =
            switch self {
            case .secretShort: Array(secret.dropLast())
            case .secretLong: secret + [0]
            default: secret
            }
        guard var wrapped = try? key.encryptOAEP(bytes) else { return nil }
        switch self {
        case .shortKey: wrapped.removeLast()
        case .longKey: wrapped.append(0)
        case .keyNoise: wrapped = [0] + SecureRandom.bytes(wrapped.count - 1)
        // In CBC mode, this inverts the last byte of the plaintext, so that the padding length is invalid.
        case .padding: sealed[sealed.count - 17] ^= 0xFF
        case .cutBlocks: sealed.removeLast()
        case .empty: sealed = []
        case .noise: sealed = SecureRandom.bytes(sealed.count)
        default: break
        }
        let text = Base64.encode(wrapped)
        return RequestEnvelope(
            request: Base64.encode(sealed), requestKey: self == .keyAlphabet ? "-" + text.dropFirst() : text)
    }
}
