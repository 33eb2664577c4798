import Foundation
import TenureFormats
import Testing

@Suite struct Base64Tests {
    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"),
    ])
    func `the base64 examples of RFC 4648 are encoded and decoded`(plain: String, coded: String) {
        #expect(Base64.encode(Array(plain.utf8)) == coded)
        #expect(Base64.decodeLenient(coded) == Array(plain.utf8))
        #expect(Base64.decode(coded) == Array(plain.utf8))
        let unpadded = coded.filter { $0 != "=" }
        #expect(Base64.encodeURL(Array(plain.utf8)) == unpadded)
        #expect(Base64.decodeURL(unpadded) == Array(plain.utf8))
    }

    @Test func `the encoder writes the same base64 as Foundation's encoder, and every decoder reads it`() {
        var generator = SeededGenerator(seed: 2)
        for count in 0..<200 {
            let bytes = (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
            let coded = Base64.encode(bytes)
            #expect(coded == Data(bytes).base64EncodedString())
            #expect(Base64.decodeLenient(coded) == bytes)
            #expect(Base64.decode(coded) == bytes)
            #expect(Base64.decodeLenient(Base64.encodeURL(bytes)) == bytes)
            #expect(Base64.decodeURL(Base64.encodeURL(bytes)) == bytes)
        }
    }

    @Test(arguments: ["+/+/", "-_-_", "+_-/", " + / + / ", "+/\n+/\r\n", "\t-_-_\u{B}\u{C}"])
    func `the lenient base64 decoder accepts either alphabet and white space`(text: String) {
        #expect(Base64.decodeLenient(text) == [0xFB, 0xFF, 0xBF])
    }

    @Test(arguments: ["Zg", "Zg==", "Z g = =", "Zg=\n="])
    func `the lenient base64 decoder accepts text with and without padding`(text: String) {
        #expect(Base64.decodeLenient(text) == [0x66])
    }

    @Test(arguments: [
        "Z", "Zm9vY", "Zg=", "Zg===", "Zm8==", "Zm9v=", "Zm9v====", "=", "====", "Z=g=", "=Zg=", "Zg==Zg==", "Zh==",
        "Zm9=", "Zm!v",
        "Zm9v\u{0}", "Zmév", "Zm.v", "Zm9v,",
    ])
    func `malformed base64 is refused even by the lenient decoder`(text: String) {
        #expect(Base64.decodeLenient(text) == nil)
    }

    @Test(arguments: ["Zg==", "+/+/", "Zm9v ", " Zm9v", "Zm\n9v", "Z", "Zh", "Zm9=", "Zm9v="])
    func `the strict decoder of base64url accepts only the canonical form`(text: String) {
        #expect(Base64.decodeURL(text) == nil)
    }

    @Test(arguments: [
        "Zg", "Zg=", "Zg===", "Zm8", "-_-_", "+_-/", "Zm9v ", " Zm9v", "Zm9\nv", "Zg==Zg==", "Zg==Zm9v", "=", "==",
        "===",
        "====", "Z===", "Z=g=", "=Zg=", "Zg=Z", "Zh==", "Zm9=", "Zm!v", "Zm9v\u{0}", "Zmé", "Zm9v\r\n\r\n",
    ])
    func `the strict decoder of standard base64 accepts only the canonical form`(text: String) {
        #expect(Base64.decode(text) == nil)
    }
}
