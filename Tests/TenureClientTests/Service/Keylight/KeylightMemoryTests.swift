import TenureClient
import TenureCore
import TenureCrypto
import Testing

@Suite struct KeylightMemoryTests {
    @Test func `what is kept is read again`() {
        let key = Ed25519.PrivateKey.generate().publicKey
        for memory in [
            KeylightMemory(), KeylightMemory(keys: ["k1": key, "k2": key]),
            KeylightMemory(notFound: NotFoundOnce(activation: "a", since: Timestamp(seconds: -5))),
        ] {
            #expect(KeylightMemory(json: memory.json()) == memory)
        }
    }

    @Test(arguments: [
        "", "[]", "{}", #"{"keys":[{"kid":"k1","public_key":"AAAA"}],"not_found":{"since":1}}"#, "{\"keys\":",
    ])
    func `what does not read is left out`(text: String) {
        #expect(KeylightMemory(json: Array(text.utf8)) == KeylightMemory())
    }
}
