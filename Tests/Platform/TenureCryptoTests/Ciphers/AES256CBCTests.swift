import TenureCrypto
import Testing

@Suite struct AES256CBCTests {
    /// NIST SP 800-38A, F.2.5: four blocks. The padding adds a fifth, which isn't in the document.
    @Test func `the blocks of NIST SP 800-38A encrypt to the published values, followed by a block of padding`() throws
    {
        let hex = { (text: String) in
            stride(from: 0, to: text.utf8.count, by: 2).compactMap { index in
                UInt8(text.dropFirst(index).prefix(2), radix: 16)
            }
        }
        let cipher = try AES256CBC(
            key: hex("603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4"),
            initializationVector: Array(0..<16))
        let message = hex(
            "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"
                + "30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710")
        let ciphertext = hex(
            "f58c4c04d6e5f1ba779eabfb5f7bfbd69cfc4e967edb808d679f777bc6702c7d"
                + "39f23369a9d9bacfa530e26304231461b2eb05e2c39be9fcda6c19078c6a9d1b")
        let sealed = try cipher.encrypt(message)
        #expect(Array(sealed.prefix(64)) == ciphertext && sealed.count == 80)
        #expect(try cipher.encrypt([]).count == 16 && cipher.encrypt([1]).count == 16)
        #expect(cipher.description == "AES256CBC")
    }

    @Test(arguments: [(31, 16), (33, 16), (16, 16), (32, 15), (32, 0)])
    func `AES-256-CBC refuses a key that isn't 32 bytes or an initialization vector that isn't 16 bytes long`(
        key: Int, vector: Int
    ) {
        #expect(throws: CryptoError(.wrongLength, "")) {
            try AES256CBC(
                key: [UInt8](repeating: 0, count: key), initializationVector: [UInt8](repeating: 0, count: vector))
        }
    }
}
