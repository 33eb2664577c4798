import Synchronization
import TenureCore
import TenureCrypto
import TenureHTTP
import TenureHTTPClient

@testable import TenureDevice

/// A server with a list of responses, which records its requests.
final class ScriptedServer: Sendable {
    private let answers: [String: Response]
    private let reached = Mutex<[OutgoingRequest]>([])
    private let paused = Mutex(0)

    /// - Parameter answers: The responses by path. All other paths respond with 404.
    init(_ answers: [String: Response]) { self.answers = answers }

    var requests: [OutgoingRequest] { reached.withLock(\.self) }
    var pauses: Int { paused.withLock(\.self) }

    /// Runs the conformance requests and returns their exchanges.
    func seen(_ options: ConformanceOptions) async -> SeenMarketplace {
        let run = ConformanceRun(
            send: { request, limit in
                self.reached.withLock { $0.append(request) }
                let path = "/" + request.url.split(separator: "/", maxSplits: 2)[2]
                guard var answer = self.answers[path] else { return .success((Response(status: 404), false)) }
                if path.hasPrefix("/adp/5/7/delta/"), let range = request.headers["Range"] {
                    let ends = range.dropFirst("bytes=".count).split(separator: "-").compactMap { Int($0) }
                    answer = Response(status: 206, body: Array(answer.body.bytes[ends[0]...ends[1]]))
                }
                let isCut = answer.body.bytes.count > limit
                answer.body = .bytes(request.method == "HEAD" ? [] : Array(answer.body.bytes.prefix(limit)))
                return .success((answer, isCut))
            },
            pause: { self.paused.withLock { $0 += 1 } })
        return await run.sendQuestions(options, draw: ConformanceDraw(), at: Timestamp(seconds: 1_790_000_000))
    }

    static func json(_ text: String) -> Response {
        Response(status: 200, headers: ["Content-Type": "application/json"], body: Array(text.utf8))
    }

    static let asset = "00000001-0000-4000-8000-0000000000ab"
    static let delta = "00000001-0000-4000-8000-0000000000de"

    /// A marketplace with static files only, which is all that a read-only run requests.
    static func files(endpoints: String = "https://mart.example", hashes: String = "", deltaHashes: String? = nil)
        -> ScriptedServer
    {
        let delta = deltaHashes.map { hashes in
            """
            {"publicId": "\(Self.delta)", "assetPath": "delta/\(Self.delta).ipa",
             "sourceVariant": {"installTargets": [{"device": "iPhone14,8", "os": "17.4"}], "appleVersionId": "6",
              "version": "0.9"},
             "targetVariantAssetPath": "variant/\(asset).ipa",
             "deltaDetails": {"compressedSize": 6000, "uncompressedSize": 9000, "hashes": [\(hashes)]}}
            """
        }
        let configuration = """
            {"restore": "\(endpoints)/restore", "updates": {"url": "\(endpoints)/updates", "pollingInterval": 24},
             "license": {"dynamicLicenseURL": "\(endpoints)/license", "licenseRenewalURL": "\(endpoints)/renew",
              "signingCertificateURL": "\(endpoints)/signing.cer",
              "encryptionCertificateURL": "\(endpoints)/encryption.cer",
              "licenseResolutionURL": "\(endpoints)/resolve"}}
            """
        let manifest = """
            {"appleItemId": "5", "appleVersionId": "7", "bundleId": "com.example.game", "shortVersionString": "1.0",
             "bundleVersion": "1", "platforms": ["ios"], "minimumSystemVersions": {"ios": "17.4"},
             "requiredDeviceCapabilities": ["arm64"], "deltas": [\(delta ?? "")], "variants": [
              {"publicId": "\(asset)", "assetPath": "variant/\(asset).ipa",
               "installTargets": [{"device": "iPhone14,8", "os": "17.4"}],
               "variantDetails": {"compressedSize": 5000, "uncompressedSize": 9000, "hashes": [\(hashes)]}}]}
            """
        return ScriptedServer([
            "/.well-known/marketplace-kit": json(configuration), "/adp/5/7/manifest.json": json(manifest),
            "/adp/5/7/signature": Response(status: 200, body: [1]),
            "/adp/5/7/delta/\(Self.delta).ipa": Response(status: 200, body: [UInt8](repeating: 1, count: 6000)),
            "/adp/5/7/variant/\(asset).ipa": Response(
                status: 200, headers: ["ETag": "\"a\"", "Content-Length": "5000"],
                body: [UInt8](repeating: 1, count: 5000)),
        ])
    }
}
