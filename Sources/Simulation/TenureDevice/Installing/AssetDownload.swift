import TenureHTTP
import TenureHTTPClient
import TenureMarketplace
import TenureMarketplaceClient

/// Limits on the duration and the retries of a download.
struct DownloadLimits: Sendable {
    /// The maximum number of tries of a download; a try that downloads nothing new is the last.
    static let tries = 64
    /// The lowest acceptable speed after the first minute, in bytes per second.
    static let slowest: Int64 = 32 << 10

    /// The maximum duration of an asset's download.
    static func deadline(for bytes: Int64) -> Duration { .seconds(60 + bytes / slowest) }
}

extension ServedMarketplace {
    /// Downloads the missing part of an asset and verifies each chunk as it arrives.
    ///
    /// After a failure, the download resumes as long as each try receives new bytes.
    ///
    /// - Throws: `.brokenDownload`, where the verified part is kept for the next try; `.refused`, `.unreachable`,
    ///   `.badPackage` or `.badFolder`.
    func download(
        _ part: PartialAsset, from url: String, headers: Headers, meter: InstallMeter
    ) async throws(DeviceError) {
        var tries = 0
        while !part.isWhole {
            let before = part.count
            let failure = try await fetch(part, from: url, headers: headers, meter: meter)
            if part.isWhole { break }
            tries += 1
            guard part.count <= before || tries >= DownloadLimits.tries else { continue }
            throw failure
                ?? DeviceError(
                    .brokenDownload,
                    "The download stopped at \(part.count) of \(part.asset.size) bytes. The next attempt continues "
                        + "from there."
                )
        }
    }

    /// Sends one request for the missing part of an asset.
    ///
    /// Returns `nil` if the asset is complete, and the error if another try may succeed. Throws any other error.
    private func fetch(
        _ part: PartialAsset, from url: String, headers: Headers, meter: InstallMeter
    ) async throws(DeviceError) -> DeviceError? {
        if !part.mayGoOn, part.count > 0 { try part.cut(to: 0) }
        let size = part.asset.size
        let offset = part.count
        var request = OutgoingRequest.get(url, headers: headers)
        request.headers.add("Accept-Encoding", "identity")
        if offset > 0 {
            request.headers.add("Range", "bytes=\(offset)-")
            if let tag = part.tag { request.headers.add("If-Range", tag) }
        }
        let sink = HTTPSink(
            begin: { answer in part.begins(with: answer) },
            take: { bytes in
                guard part.append(bytes) else { return false }
                meter.measure(.downloading, bytes: part.count, of: size)
                return true
            })
        var interruption: DeviceError?
        do throws(DeviceError) {
            let answer = try await stream(
                request, limit: Int(clamping: size) &+ 1, timeout: DownloadLimits.deadline(for: size), into: sink)
            if let refusal = part.refusal(of: answer, from: offset) { throw refusal }
        } catch  where error.code == .unreachable {
            let message =
                "\(error.message) \(part.count) of \(size) bytes were downloaded. The next attempt continues from "
                + "there."
            interruption = DeviceError(.brokenDownload, message)
        }
        switch try part.finish() {
        case nil: return interruption
        case .damaged(let chunk):
            return DeviceError(
                .badPackage,
                "Chunk \(chunk) of the download doesn't match the manifest. The next attempt downloads it again.",
                as: .networkError)
        case .tooLong:
            try part.cut(to: 0)
            throw DeviceError(
                .badPackage, "The server sent more than the \(size) bytes that the manifest says.", as: .networkError)
        case .disk(let reason): throw DeviceError(.noRoom, "The download can't be saved: \(reason)")
        }
    }
}

extension PartialAsset {
    /// Whether the response's body can be used: it is the whole file or exactly the missing part of the file.
    fileprivate func begins(with answer: Response) -> Bool {
        switch answer.status {
        case 200:
            guard (try? cut(to: 0)) != nil else { return false }
            keep(tag: answer.headers["ETag"])
            return true
        case 206: return isRange(answer, from: count)
        default: return false
        }
    }

    /// The error if a response can't be used; `nil` if it can.
    fileprivate func refusal(of answer: Response, from offset: Int64) -> DeviceError? {
        switch answer.status {
        case 200: return nil
        case 206:
            if isRange(answer, from: offset) { return nil }
            return DeviceError(.badPackage, "The server sent a different range than requested.", as: .networkError)
        case 300...399:
            return DeviceError(
                .badPackage, "The server redirects the download, which devices don't follow.",
                as: .networkError, problem: ServerProblem(answer))
        default: return DeviceError(answer, to: "The request for the app's file")
        }
    }

    private func isRange(_ answer: Response, from offset: Int64) -> Bool {
        answer.headers["Content-Range"] == "bytes \(offset)-\(asset.size - 1)/\(asset.size)"
    }
}
