/// Checks the file of a logo: a raster image, recognised by its first bytes.
///
/// An SVG image can contain code and refer to other files and sites, in more ways than a reader of our own would know.
package enum LogoFile {
    /// The largest file, in bytes.
    package static let largest = 65_536

    /// The media type of an image; `nil` if it can't be a logo.
    package static func mediaType(of bytes: [UInt8]) -> String? {
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return "image/png" }
        if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
        let isWebP = bytes.starts(with: "RIFF".utf8) && bytes.dropFirst(8).starts(with: "WEBP".utf8)
        return isWebP ? "image/webp" : nil
    }

    /// What is wrong with a file; `nil` if it can be a logo.
    package static func fault(of bytes: [UInt8]) -> String? {
        mediaType(of: bytes) == nil ? "must be a PNG, JPEG or WebP image; export an SVG as one of them" : nil
    }
}
