-- Sends requests of devices for licenses at random; the path of the URL says which. Each line of the keys file is
-- "KEY INSTANCE DEVICE", all lines of one length.
local record, width, count
local digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

local function nonce()
    local letters = {}
    for place = 1, 21 do
        local digit = math.random(1, 64)
        letters[place] = digits:sub(digit, digit)
    end
    -- 22 digits are 132 bits. A nonce has 128, so the last digit's four lowest bits are zero.
    return table.concat(letters) .. "A"
end

local function hash()
    local words = {}
    for place = 1, 16 do words[place] = ("%04x"):format(math.random(0, 65535)) end
    return table.concat(words)
end

local bodies = {
    validate = function(key, instance)
        return ('{"license_key":"%s","instance_id":"%s"}'):format(key, instance)
    end,
    renew = function(key, instance, device)
        return ('{"nonce":"%s","device":"%s","licenseKey":"%s","activation":"%s"}'):format(nonce(), device, key, instance)
    end,
    -- Each time for a new device.
    activate = function(key)
        return ('{"license_key":"%s","instance_name":"Bench device","machine_hash":"%s"}'):format(key, hash())
    end,
}

function init(arguments)
    local file = assert(io.open(arguments[1], "rb"))
    record = file:read("*a")
    file:close()
    width = record:find("\n", 1, true)
    count = #record / width
    math.randomseed(tonumber(arguments[2]))
    wrk.method = "POST"
    wrk.headers["Content-Type"] = "application/json"
end

function request()
    local start = math.random(0, count - 1) * width + 1
    local space = record:find(" ", start, true)
    local body = bodies[wrk.path:match("[^/]+$")]
    return wrk.format(nil, nil, nil, body(
        record:sub(start, space - 1), record:sub(space + 1, space + 36), record:sub(space + 38, start + width - 2)))
end
