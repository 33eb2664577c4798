import TenureCrypto
import TenureFormats
import TenureMarketplace
import Testing

@Suite struct RequestEnvelopeTests {
    struct File: Decodable {
        struct Envelope: Decodable {
            let name, request, requestKey: String
            var envelope: RequestEnvelope { RequestEnvelope(request: request, requestKey: requestKey) }
        }
        let key, oldKey, plaintext: String
        let opened, refused: [Envelope]
    }

    let file: File
    let keys: [RSA.PrivateKey]

    init() throws {
        file = try Vectors.read("app-license-request", as: File.self)
        keys = try [file.key, file.oldKey].map { try RSA.PrivateKey(#require(Hex.decode($0))) }
    }

    @Test func `request envelopes that another library sealed can be opened with their key`() throws {
        #expect(file.opened.count == 2)
        for sent in file.opened {
            for keys in [keys, keys.reversed()] {
                #expect(
                    try sent.envelope.open(with: keys, reading: { $0 }) == Array(file.plaintext.utf8), "\(sent.name)")
            }
        }
        #expect(throws: FormatError.self) { try file.opened[1].envelope.open(with: [keys[0]], reading: { $0 }) }
    }

    @Test func `all invalid request envelopes are refused with the same error after their decrypted bytes were parsed`()
        throws
    {
        var answers = Set<String>()
        var readings = 0
        #expect(file.refused.count == 44)
        for sent in file.refused {
            let error = #expect(throws: FormatError.self, "\(sent.name)") {
                try sent.envelope.open(with: keys) { plaintext in
                    readings += 1
                    return try SimulatedAppLicenseRequest(json: plaintext)
                }
            }
            answers.insert("\(error?.description ?? "") \(String(describing: error?.cause))")
        }
        #expect(answers.count == 1)
        #expect(readings == file.refused.count)
    }

    @Test func `a request envelope with random content is refused, even if its padding is valid`() throws {
        // With a random secret, the last byte alone is valid padding once in 256 times, and this `reading` closure
        // accepts anything.
        for _ in 0..<4096 {
            let envelope = RequestEnvelope(
                request: Base64.encode(SecureRandom.bytes(16)), requestKey: file.opened[0].requestKey)
            #expect(throws: FormatError.self) { try envelope.open(with: [], reading: { $0 }) }
        }
    }

    @Test func `a request envelope over 1 MiB is refused`() throws {
        let secret = try RequestEnvelope.sealing([], to: keys[0].publicKey)
        for (count, opens) in [(786_431, true), (786_432, false)] {
            let sealed = try RequestEnvelope.sealing(Array(repeating: 1, count: count), to: keys[0].publicKey)
            #expect((sealed.request.utf8.count <= RequestEnvelope.longestRequest) == opens)
            let size = try? sealed.open(with: keys, reading: { $0.count })
            #expect(size == (opens ? count : nil))
        }
        let longKey = RequestEnvelope(request: secret.request, requestKey: String(repeating: "A", count: 4 << 20))
        #expect(throws: FormatError.self) { try longKey.open(with: keys, reading: { $0 }) }
    }

    @Test(arguments: [0, 1, 15, 16, 17, 1000])
    func `a sealed request envelope of 0 to 1,000 bytes can be opened`(count: Int) throws {
        let plaintext = SecureRandom.bytes(count)
        let envelope = try RequestEnvelope.sealing(plaintext, to: keys[0].publicKey)
        #expect(Base64.decode(envelope.requestKey)?.count == RequestEnvelope.requestKeyLength)
        #expect(try envelope.open(with: keys, reading: { $0 }) == plaintext)
        #expect(try RequestEnvelope.sealing(plaintext, to: keys[0].publicKey).request != envelope.request)
    }

    @Test func `sealing a request envelope to an RSA-2048 key is refused`() throws {
        let small = try RSA.PrivateKey.generate(modulusBits: 2048)
        let error = #expect(throws: FormatError.self) { try RequestEnvelope.sealing([], to: small.publicKey) }
        #expect(error?.code == .notMade)
    }
}
