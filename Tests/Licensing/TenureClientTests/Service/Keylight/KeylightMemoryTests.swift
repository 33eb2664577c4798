import TenureClient
import TenureCore
import Testing

@Suite struct KeylightMemoryTests {
    @Test func `the data that a Keylight client stores is read back unchanged`() {
        for memory in [
            KeylightMemory(), KeylightMemory(keys: Array("{\"a\":\"\\n\"}".utf8)),
            KeylightMemory(codedServer: "https://license.example/"),
            KeylightMemory(notFound: NotFoundOnce(activation: "a", since: Timestamp(seconds: -5))),
        ] {
            #expect(KeylightMemory(json: memory.json()) == memory)
        }
    }

    @Test(arguments: ["", "[]", "{}", #"{"keys":[1],"not_found":{"since":1}}"#, "{\"keys\":"])
    func `unreadable parts of the data that a Keylight client stored are ignored`(text: String) {
        #expect(KeylightMemory(json: Array(text.utf8)) == KeylightMemory())
    }
}
